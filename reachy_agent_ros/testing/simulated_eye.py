"""The simulated robot's eye, and what makes sense of its pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.seeing.camera import Image, jpeg
from reachy_agent_ros.seeing.desk_detector import DeskDetector
from reachy_agent_ros.seeing.detection import Detection
from reachy_agent_ros.seeing.eye import camera_pose
from reachy_agent_ros.seeing.localiser import locate
from reachy_agent_ros.seeing.scene_camera import SceneCamera
from reachy_agent_ros.seeing.scene_question import listing
from reachy_agent_ros.tools.body import Photo, SceneAnswer, SeenThing, Sight

WIDTH, HEIGHT = 640, 480
_Drawn = TypeVar("_Drawn")


class SimulatedEye:
    """Draws what the robot sees and detects what is in it. Any thread may use it.

    Args:
        scene: One of `description.SCENES`.
        view: What a vision model would say of any picture; empty where there is none.
        blind: Whether the camera does not answer.
    """

    def __init__(self, scene: str, view: str = "", blind: bool = False) -> None:
        self._view = view
        self._blind = blind
        self._camera = SceneCamera(scene, WIDTH, HEIGHT)
        self._drawer = ThreadPoolExecutor(1, thread_name_prefix="eye")  # graphics belong to one thread

    def photograph(self, measured: Measurement) -> Photo:
        """A picture from where the head is.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`.
        """
        return Photo(jpeg(self._picture(measured)), self._camera.intrinsics, measured.pose.head)

    def detect(self, labels: Sequence[str], measured: Measurement) -> Sight:
        """What the detector that comes with the package finds: those kinds only, all where there are none.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`.
        """
        camera = camera_pose(measured.pose.head)
        found = [thing for thing in self._detections(measured) if not labels or thing.label in labels]
        sightings = [locate(thing, self._camera.intrinsics, camera) for thing in found]
        things = [
            SeenThing(one.detection.label, one.detection.confidence, (one.bearing[0], one.bearing[1], one.bearing[2]))
            for one in sightings
        ]
        return Sight(tuple(things), camera)

    def describe(self, measured: Measurement) -> SceneAnswer:
        """The view, or without one what the detector finds, in words.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`.
        """
        found = self._detections(measured)
        return SceneAnswer(self._view or listing(found, WIDTH), tuple(thing.label for thing in found))

    def close(self) -> None:
        """Frees what draws."""
        self._drawn(self._camera.close)
        self._drawer.shutdown()

    @cached_property
    def _detector(self) -> DeskDetector:
        return DeskDetector()

    def _detections(self, measured: Measurement) -> list[Detection]:
        image = self._picture(measured)
        return self._drawn(lambda: self._detector.detect(image))

    def _picture(self, measured: Measurement) -> Image:
        if self._blind:
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, "The camera does not answer.")
        return self._drawn(lambda: self._camera.capture(measured.pose.head, measured.objects))

    def _drawn(self, draw: Callable[[], _Drawn]) -> _Drawn:
        return self._drawer.submit(draw).result()
