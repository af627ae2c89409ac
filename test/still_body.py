"""A body for tests of tools without ROS: it remembers what it was asked and arrives at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.tools.body import BodyState, Motion, MotionResult, Photo, PoseMotion
from reachy_agent_ros.tools.context import ToolContext


@dataclass
class StillBody:
    """Implements `tools.body.Body`."""

    pose: BodyPose = field(default_factory=BodyPose)
    motions: list[Motion] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    held: int = 0
    refusal: AgentError | None = None

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        self.motions.append(motion)
        if isinstance(motion, PoseMotion) and motion.head is not None:
            self.pose = BodyPose(motion.head)
        return MotionResult(self.pose, ("head.pitch",), self.refusal)

    def hold(self) -> None:
        self.held += 1

    def state(self) -> BodyState:
        return BodyState(self.pose, "idle", "enabled", True, True, False, "", "")

    def photograph(self, context: ToolContext) -> Photo:
        return Photo(b"\xff\xd8jpeg", 4, 2, self.pose.head)

    def say(self, text: str, context: ToolContext) -> str:
        self.said.append(text)
        return text
