"""What surrounds one running call of a tool."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.tools.body import Body, Motion, MotionProgress, MotionResult
from reachy_agent_ros.tools.manner import UNTAUGHT, Manner

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
    manner: Manner = UNTAUGHT
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
