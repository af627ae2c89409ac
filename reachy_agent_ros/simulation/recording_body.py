"""Test double of the robot that records the requests from tools and completes each motion immediately."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.tools.body import BodyState, Motion, MotionResult, Photo, PoseMotion, SceneAnswer, Sight
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.heading import Heading
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.eye import camera_pose

_MOVE = 2.0
"""Virtual duration of a motion other than `PoseMotion`, s."""


@dataclass
class RecordingBody:
    """Test double of `tools.context.Body` with constant responses. It has no limits, no physics and no camera.

    Attributes:
        pose: Current pose.
        motions: Played motions, in order.
        said: Spoken texts.
        questions: Questions about the scene.
        photo: Latest photo; None before the first.
        streamed: Streamed postures.
        tracking: Whether face tracking is enabled.
        loudness: Volume of the voice, 0 to 1.
        tempo: Pace of motions, as a multiple of their usual one.
        proceeded: Number of calls to `proceed`.
        held: Number of calls to `hold` and `halt`.
        refusal: Error with which every motion ends; None if motions succeed.
        heading: Front of the robot.
        now: Virtual time, s, which advances during motions and in `wait`.
    """

    pose: BodyPose = field(default_factory=BodyPose)
    motions: list[Motion] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    photo: Photo | None = None
    streamed: list[PoseMotion] = field(default_factory=list)
    tracking: bool = False
    loudness: float = 1.0
    tempo: float = 1.0
    proceeded: int = 0
    held: int = 0
    refusal: AgentError | None = None
    heading: Heading = field(default_factory=Heading)
    now: float = 0.0

    def wait(self, seconds: float) -> None:
        """Advances virtual time."""
        self.now += seconds

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Records a motion and adopts its head pose. Always reports that the pitch was clamped."""
        self.wait(motion.duration if isinstance(motion, PoseMotion) else _MOVE)
        self.motions.append(motion)
        if isinstance(motion, PoseMotion) and motion.head is not None:
            self.pose = BodyPose(motion.head)
        return MotionResult(self.pose, ("head.pitch",), self.refusal)

    def stream(self, motion: PoseMotion) -> None:
        """Records a posture. The pose of the robot does not change."""
        self.streamed.append(motion)

    def hold(self) -> None:
        """Increments the counter `held`."""
        self.held += 1

    def halt(self) -> None:
        """Increments the counter `held`, as `hold` does."""
        self.hold()

    def proceed(self, context: ToolContext) -> MotionResult:
        """Increments the counter `proceeded`. Does not change the pose."""
        self.proceeded += 1
        return MotionResult(self.pose, (), self.refusal)

    def pace(self) -> float:
        """Returns the pace of motions."""
        return self.tempo

    def set_pace(self, pace: float) -> None:
        """Records the pace of motions."""
        self.tempo = pace

    def state(self) -> BodyState:
        """Returns the state of a simulated robot at rest."""
        return BodyState(self.pose, "idle", "enabled", True, True, False, "", "")

    def photograph(self, context: ToolContext) -> Photo:
        """Takes a photo, which contains only the first bytes of a JPEG file."""
        self.photo = Photo(b"\xff\xd8jpeg", Intrinsics(4, 2, 3.0), self.pose.head)
        return self.photo

    def last_photo(self) -> Photo | None:
        """Returns the latest photo, or None before the first photo."""
        return self.photo

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        """Returns an empty list of detections."""
        return Sight((), camera_pose(self.pose.head))

    def ask_about_scene(self, question: str, context: ToolContext) -> SceneAnswer:
        """Records the question. The answer mentions a duck and an apple."""
        self.questions.append(question)
        return SceneAnswer("A duck and an apple.", ("duck", "apple"))

    def track_faces(self, enabled: bool) -> None:
        """Records whether face tracking is enabled."""
        self.tracking = enabled

    def say(self, text: str, context: ToolContext) -> str:
        """Records the text. Virtual time does not advance."""
        self.said.append(text)
        return text

    def volume(self) -> float:
        """Returns the volume, from 0 to 1."""
        return self.loudness

    def set_volume(self, volume: float) -> None:
        """Records the volume."""
        self.loudness = volume
