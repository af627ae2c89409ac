"""The simulated robot as tools see it, on a clock of its own and without ROS: faster than life, and repeatable."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.tools.body import (
    BodyState,
    Motion,
    MotionResult,
    Photo,
    PoseMotion,
    SceneAnswer,
    SeenThing,
    Sight,
)
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.vision.detection import Detection, Detector
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.localiser import Sighting, locate
from reachy_agent_ros.vision.scene_camera import SceneCamera

PERIOD = 0.01
SEEING = 0.15  # s that a picture takes, from the question to the answer


class SimulatedWait(CancelToken):
    """Waits in the body's own time.

    Args:
        body: Whose.
    """

    def __init__(self, body: SimulatedBody) -> None:
        super().__init__()
        self._body = body

    def wait(self, seconds: float) -> bool:
        """Lets simulated time pass. Returns whether it was cancelled."""
        self._body.pass_time(seconds)
        return self.cancelled


class SimulatedBody:
    """Implements `tools.body.Body` as far as looking needs it: physics, motion controller, rendered eye, detector.

    Args:
        detector: What it sees with.
        width: Of its pictures, pixels.
        height: The same.

    Attributes:
        objects: Where the scene's objects are, 4x4 transforms in `base_link`, m; to be changed as one likes.
        seen: Every kind of thing that the last picture showed, by the detector.
        now: s since it was made.
    """

    def __init__(self, detector: Detector, width: int, height: int) -> None:
        self.now = 0.0
        self.seen: list[Detection] = []
        self._detector = detector
        self._controller = MotionController(Breath(pause=math.inf))
        self._robot = MujocoRobot("empty", lambda: self.now)
        self._robot.connect()
        self._eye = SceneCamera("minimal", width, height)
        self.objects: Mapping[str, Matrix] = {}
        self.pass_time(0.1)

    def pass_time(self, seconds: float) -> None:
        """Lets the robot do what it does."""
        for _ in range(round(seconds / PERIOD)):
            self._step()

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Plays a posture to its end."""
        assert isinstance(motion, PoseMotion)
        ended: list[AgentError | None] = []
        target = Target(head=motion.head, body_yaw=motion.body_yaw)
        self._controller.execute(target, "bench", ended.append, motion.duration)
        while not ended:
            self._step()
        return MotionResult(self.pose, error=ended[0])

    def stream(self, motion: PoseMotion) -> None:
        """Nobody asks for it here."""
        raise _unavailable()

    def hold(self) -> None:
        """Ends whatever motion is running."""
        self._controller.hold()

    def halt(self) -> None:
        """Holds as well: nothing waits for anybody here."""
        self.hold()

    def state(self) -> BodyState:
        """The state, measured now."""
        return BodyState(self.pose, "idle", "enabled", True, True, False, "", "")

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        """Detects things in a picture taken now."""
        head = self.pose.head
        self.seen = self._detector.detect(self._eye.capture(head, self.objects))
        self.pass_time(SEEING)
        camera = camera_pose(head)
        found = [locate(thing, self._eye.intrinsics, camera) for thing in self.seen]
        return Sight(tuple(_seen(each) for each in found if not labels or each.detection.label in labels), camera)

    def photograph(self, context: ToolContext) -> Photo:
        """Nobody asks for it here."""
        raise _unavailable()

    def last_photo(self) -> Photo | None:
        """None: no photos are taken."""
        return None

    def ask_about_scene(self, question: str, context: ToolContext) -> SceneAnswer:
        """Nobody asks for it here."""
        raise _unavailable()

    def track_faces(self, enabled: bool) -> None:
        """Nobody asks for it here."""
        raise _unavailable()

    def say(self, text: str, context: ToolContext) -> str:
        """Nobody asks for it here."""
        raise _unavailable()

    @property
    def pose(self) -> BodyPose:
        """Measured now."""
        return self._robot.measure().pose

    def axis_error(self, place: Matrix) -> float:
        """Angle between the eye's measured axis and a point x, y, z in `base_link`, rad."""
        camera = camera_pose(self.pose.head)
        way = place - camera[:3, 3]
        return math.acos(float(np.clip(way @ camera[:3, 2] / np.linalg.norm(way), -1.0, 1.0)))

    def close(self) -> None:
        """Frees what draws and moves."""
        self._eye.close()
        self._robot.close()

    def _step(self) -> None:
        self.now += PERIOD
        command = self._controller.cycle(self._robot.measure(), self.now, PERIOD)
        assert command is not None
        self._robot.command(command)


def _seen(sighting: Sighting) -> SeenThing:
    x, y, z = (float(value) for value in sighting.bearing)
    return SeenThing(sighting.detection.label, sighting.detection.confidence, (x, y, z))


def _unavailable() -> AgentError:
    return AgentError(ErrorCode.SERVER_UNAVAILABLE, "This body only looks.")
