"""Execution context of a running tool: the robot and the call."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.tools.body import (
    BodyState,
    Motion,
    MotionProgress,
    MotionResult,
    Photo,
    PoseMotion,
    SceneAnswer,
    Sight,
)
from reachy_agent_ros.tools.execution_style import UNTAUGHT, ExecutionStyle
from reachy_agent_ros.tools.heading import Heading

NO_TURN = uuid.UUID(int=0)
"""Turn id of a call outside of a conversation."""


@dataclass(frozen=True)
class Progress:
    """Progress of a call.

    Attributes:
        fraction: From 0 to 1.
        status: One-line status for people.
        motion: Progress of the body, if it moves.
    """

    fraction: float
    status: str
    motion: MotionProgress | None = None


@dataclass
class ToolContext:
    """Context that a tool's handler receives with its arguments.

    Attributes:
        body: The robot.
        deadline: Deadline of the call.
        report: Receives progress, from any thread.
        cancel: Token that is set when the caller cancels the call or its time limit passes.
        turn_id: Turn of conversation that the call belongs to.
        manner: Style in which the call is carried out.
        asked_by: Token of the request; empty if none.
        motion: Result of the latest motion, in SI units; None before the first.
    """

    body: Body
    deadline: Deadline
    report: Callable[[Progress], None]
    cancel: CancelToken = field(default_factory=CancelToken)
    turn_id: uuid.UUID = NO_TURN
    manner: ExecutionStyle = UNTAUGHT
    asked_by: str = ""
    motion: MotionResult | None = None

    def move(self, motion: Motion) -> MotionResult:
        """Runs a motion, waits until it ends, and stores its result.

        Raises:
            AgentError: The motion did not reach its target.
        """
        return self._ended(self.body.move(motion, self))

    def proceed(self) -> MotionResult:
        """Continues the motion that was stopped last, waits until it ends, and stores its result.

        Raises:
            AgentError: There is no stopped motion, or it did not reach its target.
        """
        return self._ended(self.body.proceed(self))

    def _ended(self, result: MotionResult) -> MotionResult:
        self.motion = result
        if self.motion.error is not None:
            raise self.motion.error
        return self.motion


class Body(Protocol):
    """Interface through which tools use the robot.

    Every method except `stream` and `last_photo` blocks. A method with a context respects its deadline and cancel
    token. All methods except `last_photo` raise `AgentError`: `SERVER_UNAVAILABLE`, `SERVER_LOST` or `TIMEOUT` if the
    node behind them does not respond, or the error of that node if it rejects the request.

    Attributes:
        heading: Front of the robot.
    """

    heading: Heading

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Runs a motion and waits until it ends. If canceled, holds the pose."""
        ...

    def stream(self, motion: PoseMotion) -> None:
        """Starts to move gently toward a target, until the next target, the next motion or `hold`. Does not wait.

        The caller must call `hold` at the end. The duration of the motion is ignored.

        Raises:
            AgentError: Also for an error of the previous target, because streamed targets have no response.
        """
        ...

    def hold(self) -> None:
        """Ends the running motion and holds the pose."""
        ...

    def halt(self) -> None:
        """Stops the robot at a person's request: holds the pose and cancels all queued requests."""
        ...

    def proceed(self, context: ToolContext) -> MotionResult:
        """Continues the motion that was stopped last, and waits until it ends.

        Raises:
            AgentError: `NOT_FOUND` also if there is no stopped motion.
        """
        ...

    def pace(self) -> float:
        """Returns the pace of motions, as a multiple of their usual one."""
        ...

    def set_pace(self, pace: float) -> None:
        """Sets the pace of the running motion and of the next ones, until the robot's software restarts."""
        ...

    def state(self) -> BodyState:
        """Measures and returns the current state of the robot."""
        ...

    def photograph(self, context: ToolContext) -> Photo:
        """Takes a picture with the robot's camera."""
        ...

    def last_photo(self) -> Photo | None:
        """Returns the latest picture, or None before the first picture."""
        ...

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        """Detects objects of the given classes in a new picture. If `labels` is empty, detects all objects.

        Raises:
            AgentError: `NOT_FOUND` also for a class that the detector does not know.
        """
        ...

    def ask_about_scene(self, question: str, context: ToolContext) -> SceneAnswer:
        """Answers a question about a new picture."""
        ...

    def track_faces(self, enabled: bool) -> None:
        """Starts or stops following faces with the head."""
        ...

    def say(self, text: str, context: ToolContext) -> str:
        """Speaks a text and waits until it has been spoken. Returns the spoken text.

        Raises:
            AgentError: `CANCELED` also if only a part of the text was spoken.
        """
        ...

    def volume(self) -> float:
        """Returns the volume of the voice, from 0 to 1."""
        ...

    def set_volume(self, volume: float) -> None:
        """Sets the volume of the voice (0 to 1) until the robot's software restarts."""
        ...
