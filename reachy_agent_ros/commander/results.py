"""What the methods of a commander return: answers, measurements, and tasks that go on."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Generic, TypeVar

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """What came of a sentence.

    Attributes:
        reply: What the agent answered.
        agent: Who answered: "reflex", "coordinator", "robot".
        tools: Tools that were called, in order.
        session: Conversation it belongs to.
        turn_id: Of the turn, as `reachy-agent trace` knows it.
    """

    reply: str
    agent: str
    tools: tuple[str, ...]
    session: str
    turn_id: str


@dataclass(frozen=True)
class Measured:
    """Where the robot is, as it was measured.

    Attributes:
        head: 4x4 transform of `head` in `head_base`, m.
        body_yaw: rad, positive to the left.
        antennas: Right and left, rad.
        clamped: Fields of the command that the safety gate clamped; empty where none was, or nothing was commanded.
    """

    head: Matrix
    body_yaw: float
    antennas: tuple[float, float]
    clamped: tuple[str, ...] = ()


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
