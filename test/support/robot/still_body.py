"""A body for tests of tools without ROS: it remembers what it was asked and arrives at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.tools.body import BodyState, Motion, MotionResult, Photo, PoseMotion, SceneAnswer, Sight
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.eye import camera_pose


@dataclass
class StillBody:
    """Implements `tools.body.Body`."""

    pose: BodyPose = field(default_factory=BodyPose)
    motions: list[Motion] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    photo: Photo | None = None
    streamed: list[PoseMotion] = field(default_factory=list)
    tracking: bool = False
    held: int = 0
    refusal: AgentError | None = None

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        self.motions.append(motion)
        if isinstance(motion, PoseMotion) and motion.head is not None:
            self.pose = BodyPose(motion.head)
        return MotionResult(self.pose, ("head.pitch",), self.refusal)

    def stream(self, motion: PoseMotion) -> None:
        self.streamed.append(motion)

    def hold(self) -> None:
        self.held += 1

    def halt(self) -> None:
        self.hold()

    def state(self) -> BodyState:
        return BodyState(self.pose, "idle", "enabled", True, True, False, "", "")

    def photograph(self, context: ToolContext) -> Photo:
        self.photo = Photo(b"\xff\xd8jpeg", Intrinsics(4, 2, 3.0), self.pose.head)
        return self.photo

    def last_photo(self) -> Photo | None:
        return self.photo

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        return Sight((), camera_pose(self.pose.head))

    def ask_about_scene(self, question: str, context: ToolContext) -> SceneAnswer:
        self.questions.append(question)
        return SceneAnswer("A duck and an apple.", ("duck", "apple"))

    def track_faces(self, enabled: bool) -> None:
        self.tracking = enabled

    def say(self, text: str, context: ToolContext) -> str:
        self.said.append(text)
        return text
