"""Results of a commander's methods: answers, measurements and running tasks."""

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
    """Answer of the agent to a sentence.

    Attributes:
        reply: Text of the reply.
        agent: Name of the agent that answered, such as "reflex", "coordinator" or "robot".
        tools: Names of the called tools, in order.
        session: Conversation that the sentence belongs to.
        turn_id: Id of the turn, as used by `reachy-agent trace`.
    """

    reply: str
    agent: str
    tools: tuple[str, ...]
    session: str
    turn_id: str


@dataclass(frozen=True)
class Measured:
    """Measured pose of the robot.

    Attributes:
        head: 4x4 transform of `head` in `head_base`, m.
        body_yaw: Yaw of the body, rad, positive to the left.
        antennas: Angles of the right and left antenna, rad.
        clamped: Fields of the command that the safety gate clamped; empty if there are none or there was no command.
    """

    head: Matrix
    body_yaw: float
    antennas: tuple[float, float]
    clamped: tuple[str, ...] = ()


class Task(Generic[T]):
    """Running task, as returned by `ReachyCommander.begin`. Thread-safe.

    Args:
        work: Future of the task.
        token: Token that cancels the task.
    """

    def __init__(self, work: Future[T], token: CancelToken) -> None:
        self._work = work
        self._token = token

    @property
    def done(self) -> bool:
        """Whether the task has ended, successfully or not."""
        return self._work.done()

    def cancel(self) -> None:
        """Cancels the task, without waiting for its end: the robot holds its pose, or stops speaking. See `wait`."""
        self._token.cancel()

    def wait(self, timeout: float | None = None) -> T:
        """Waits for the result of the task.

        Args:
            timeout: Timeout, s; None to wait for the task's own time limit.

        Returns:
            Return value of the method.

        Raises:
            AgentError: Error of the method; `CANCELED` after a cancel; `TIMEOUT`: the task is still running.
        """
        try:
            return self._work.result(timeout)
        except FutureTimeoutError:
            if self._work.done():  # the error is that of the method
                return self._work.result()
            raise AgentError(ErrorCode.TIMEOUT, f"The task is still running after {timeout:g} s.") from None
