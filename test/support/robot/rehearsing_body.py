"""A body for tests of rehearsals: as the still one, in a time that passes when it is told to."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.tools.body import Motion, MotionResult, PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from support.robot.still_body import StillBody


@dataclass
class RehearsingBody(StillBody):
    """Implements `tools.body.Body` and `broker.run.VirtualTime`."""

    now: float = 0.0

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        self.wait(motion.duration if isinstance(motion, PoseMotion) else 2.0)
        return super().move(motion, context)
