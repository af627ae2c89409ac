"""Something that was begun and can be waited for or cancelled."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Generic, TypeVar

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode

T = TypeVar("T")


class Task(Generic[T]):
    """What `ReachyCommander.begin` hands out. Any thread may use it.

    Args:
        work: Its end.
        token: Cancels it.
    """

    def __init__(self, work: Future[T], token: CancelToken) -> None:
        self._work = work
        self._token = token

    @property
    def done(self) -> bool:
        """Whether it has ended, well or not."""
        return self._work.done()

    def cancel(self) -> None:
        """Asks it to end; the robot then holds its pose, or falls silent. `wait` tells when it has."""
        self._token.cancel()

    def wait(self, timeout: float | None = None) -> T:
        """Waits for its end.

        Args:
            timeout: s; None for as long as it takes, which has a limit of its own.

        Returns:
            What the method returns that was begun.

        Raises:
            AgentError: What the method raises; `CANCELED` after a cancel; `TIMEOUT`: it goes on.
        """
        try:
            return self._work.result(timeout)
        except FutureTimeoutError:
            raise AgentError(ErrorCode.TIMEOUT, f"It has not ended within {timeout:g} s, and goes on.") from None
