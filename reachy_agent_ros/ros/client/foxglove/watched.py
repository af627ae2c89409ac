"""What is worked for only while a viewer looks at it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack


class Watched:
    """Counts viewers of one channel; all is called in the executor's thread.

    Args:
        listen: Begins to listen to the graph, until the end of its `with` block.
    """

    def __init__(self, listen: Callable[[], AbstractContextManager[object]]) -> None:
        self._listen = listen
        self._listening = ExitStack()
        self._viewers = 0

    def join(self) -> None:
        """One viewer more. It is listened to anew for each, because only a new listener is told what is latched."""
        before, self._listening = self._listening, ExitStack()
        self._listening.enter_context(self._listen())
        before.close()  # not earlier: a camera that nobody looks at stops
        self._viewers += 1

    def leave(self) -> None:
        """One viewer less."""
        self._viewers -= 1
        if self._viewers == 0:
            self.close()

    def close(self) -> None:
        """Listens no more."""
        self._listening.close()
