"""What a running tool is given: the robot, and the call that it belongs to."""

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

NO_TURN = uuid.UUID(int=0)
"""Turn of a call that belongs to no conversation."""


@dataclass(frozen=True)
class Progress:
    """How far a call is.

    Attributes:
        fraction: 0..1.
        status: One line for people.
        motion: The body's own progress, where it moves.
    """

    fraction: float
    status: str
    motion: MotionProgress | None = None


@dataclass
class ToolContext:
    """Handed to a tool's handler with its arguments.

    Attributes:
        body: The robot.
        deadline: End of the call's time.
        report: Takes progress; may be called from any thread.
        cancel: Set when the caller wants it no more, or its time is over.
        turn_id: Turn of conversation it belongs to.
        manner: How it is to be done.
        asked_by: Token that the call was asked for with, empty if none.
        motion: How the latest motion ended, for callers that want it in SI units.
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
        """Plays one motion to its end and remembers how it ended.

        Raises:
            AgentError: What kept it from ending where it should.
        """
        self.motion = self.body.move(motion, self)
        if self.motion.error is not None:
            raise self.motion.error
        return self.motion


class Body(Protocol):
    """The robot as a tool sees it. Every call blocks, ends by the context's deadline and obeys its cancel token.

    All of them raise `AgentError` with `SERVER_UNAVAILABLE`, `SERVER_LOST` or `TIMEOUT` when the node that would
    serve them does not, and with that node's own code when it refuses.
    """

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Plays one motion to its end; a cancel holds the pose."""
        ...

    def stream(self, motion: PoseMotion) -> None:
        """Pursues a target, as fast as is gentle, until the next one, a motion or `hold`; returns at once.

        Whoever streams has to call `hold` in the end. The motion's duration has no meaning.

        Raises:
            AgentError: Also what was wrong with the target before this one, because streams have no answers.
        """
        ...

    def hold(self) -> None:
        """Ends whatever motion is running; the pose holds."""
        ...

    def halt(self) -> None:
        """Stops the robot for a person: holds the pose, and all that waits to be done is withdrawn."""
        ...

    def state(self) -> BodyState:
        """The state, measured now."""
        ...

    def photograph(self, context: ToolContext) -> Photo:
        """Takes a fresh picture."""
        ...

    def last_photo(self) -> Photo | None:
        """The picture that was taken last, None before the first."""
        ...

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        """Detects things in a fresh picture: those kinds only, all where there are none.

        Raises:
            AgentError: `NOT_FOUND` also for a kind that the detector does not know.
        """
        ...

    def ask_about_scene(self, question: str, context: ToolContext) -> SceneAnswer:
        """Answers a question about a fresh picture."""
        ...

    def track_faces(self, enabled: bool) -> None:
        """Makes the head follow faces, or no longer."""
        ...

    def say(self, text: str, context: ToolContext) -> str:
        """Speaks; returns what was said, all of it unless cancelled."""
        ...
