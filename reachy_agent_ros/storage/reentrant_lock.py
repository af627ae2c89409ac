"""One at a time, over processes and threads, and again within one's own turn."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reachy_agent_ros.storage.file_lock import locked


class ReentrantLock:
    """A `file_lock` that whoever holds it may take once more.

    Args:
        path: As of `locked`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.RLock()
        self._held = False

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps others out meanwhile, in this process and in others.

        Raises:
            AgentError: `STORAGE_FAILED`: one of them does not end.
        """
        with self._turn:
            if self._held:
                yield
                return
            with locked(self._path):
                self._held = True
                try:
                    yield
                finally:
                    self._held = False
