"""Robot with a simulated clock and a moving photograph of a face in front of the camera."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evaluation.vision.photographs import portraits
from reachy_agent_ros.core.pose import Matrix, Vector, head_transform
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.head_tracking import HeadTracking
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.vision.detection import Detection
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.face_detector import FaceDetector
from reachy_agent_ros.vision.face_tracker import FACE_HEIGHT, FaceTracker
from reachy_agent_ros.vision.scene_camera import SceneCamera
from reachy_agent_ros.vision.scene_model import PANEL, Panel

PERIOD = 0.01
TURNS_PER_FRAME = 10
TURNS_PER_OFFSET = 5
"""Loop periods between two head offsets: 20 offsets per second, as in the vision node."""

Course = Callable[[float], Vector | None]
"""Function from time to the position of the face in `base_link`, m; None if no face is present."""


@dataclass(frozen=True)
class Moment:
    """State in one period of the motion loop: time (s), measured head pose, and true position of the face."""

    time: float
    head: Matrix
    face: Vector | None

    @property
    def gaze_error(self) -> float:
        """Returns the angle (rad) between the optical axis and the direction to the face."""
        assert self.face is not None
        camera = camera_pose(self.head)
        ray = camera[:3, :3].T @ (self.face - camera[:3, 3])
        return math.atan2(math.hypot(ray[0], ray[1]), ray[2])


class Stage:
    """Simulation of face following.

    It includes MuJoCo, the motion controller, the rendered camera, the detector, the tracker and the vision delay.

    Args:
        delay: Time from the capture of an image until head tracking receives the face in it, s.
    """

    def __init__(self, delay: float = 0.08) -> None:
        close_up = portraits()[0].close_up()
        panel = Panel(close_up.image, FACE_HEIGHT * close_up.image.shape[0] / close_up.face_height)
        self.now = 0.0
        self.controller = MotionController(Breath(pause=math.inf))
        self.tracker, self.tracking = FaceTracker(), HeadTracking()
        self._delay = delay
        self._robot = MujocoRobot("empty", lambda: self.now)
        self._robot.connect()
        self._eye = SceneCamera("empty", 320, 240, panel)
        self._detector = FaceDetector()
        self._seen: deque[tuple[float, Matrix, list[Detection]]] = deque()
        self._turn = 0

    def run(self, seconds: float, course: Course) -> list[Moment]:
        """Advances the simulation. The times of `course` are relative to the current time."""
        start = self.now
        return [self._step(course(self.now - start)) for _ in range(round(seconds / PERIOD))]

    def close(self) -> None:
        """Closes the camera and the simulated robot."""
        self._eye.close()
        self._robot.close()

    def _step(self, face: Vector | None) -> Moment:
        self.now += PERIOD
        self._turn += 1
        measurement = self._robot.measure()
        head = measurement.pose.head
        if self._turn % TURNS_PER_FRAME == 0:
            self._look(head, face)
        self._notice()
        if self._turn % TURNS_PER_OFFSET == 0 and self.tracking.active:
            rotation = self.tracking.advance(self.controller.posture.head, self.now)
            self.controller.offset(OffsetSource.FACE, Offset(rotation=rotation), self.now)
        command = self.controller.cycle(measurement, self.now, PERIOD)
        assert command is not None
        self._robot.command(command)
        return Moment(self.now, head, face)

    def _look(self, head: Matrix, face: Vector | None) -> None:
        away = head_transform(z=-1.0) if face is None else head_transform(0.0, 0.0, math.pi, *face)
        found = self._detector.detect(self._eye.capture(head, {PANEL: away}))
        self._seen.append((self.now, head, found))

    def _notice(self) -> None:
        """Processes the delayed image as the vision node does."""
        if not self._seen or self.now - self._seen[0][0] < self._delay:
            return
        stamp, head, found = self._seen.popleft()
        self.tracker.update(found, self._eye.intrinsics, head, stamp)
        attended = self.tracker.attended
        if attended is not None and attended.seen == stamp:
            self.tracking.follow(attended.position, attended.velocity, stamp)


def still(x: float, y: float, z: float) -> Course:
    """Returns a trajectory for a face that rests at a position (m) in `base_link`."""
    return lambda _: np.array([x, y, z])


def nobody(_: float) -> None:
    """Trajectory without a face: returns None for any time."""
