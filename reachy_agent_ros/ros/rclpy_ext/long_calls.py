"""Calls that last as long as a person or a model thinks, in threads that nothing else waits for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread

T = TypeVar("T")


class LongCalls:
    """Runs calls of one kind side by side, and refuses one too many.

    In the threads that short calls share, as many of these would keep back whatever is asked next: the very answer to
    the question for which they wait, too. Use it from the event loop.

    Args:
        kind: What they are, in the plural, for people.
        capacity: So many at once.
    """

    def __init__(self, kind: str, capacity: int) -> None:
        self._kind = kind
        self._capacity = capacity
        self._running = 0
        self._workers = ThreadPoolExecutor(capacity, thread_name_prefix=kind.replace(" ", "_"))

    async def run(self, call: Callable[[CancelToken], T]) -> T:
        """Runs a blocking call; cancelling this cancels the token the call was given.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: too many run already.
        """
        if self._running >= self._capacity:
            message = f"{self._running} {self._kind} are under way already; try again when one has ended."
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
        self._running += 1
        try:
            return await in_thread(call, self._workers)
        finally:
            self._running -= 1
