"""What a simulated robot sees, and what is made of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.tools.body import Photo, SceneAnswer, SeenThing, Sight
from reachy_agent_ros.vision.camera import Image, Intrinsics, jpeg
from reachy_agent_ros.vision.detection import Detection
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.localiser import Sighting, locate
from reachy_agent_ros.vision.scene_question import listing

WIDTH, HEIGHT = 640, 480


class Eye(ABC):
    """Makes photos, sights and answers of pictures and what is detected in them.

    Args:
        intrinsics: Of its pictures.
        view: What a vision model would say of any picture; empty where there is none.
    """

    def __init__(self, intrinsics: Intrinsics, view: str = "") -> None:
        self._intrinsics = intrinsics
        self._view = view

    @abstractmethod
    def picture(self, measured: Measurement) -> Image:
        """What is to be seen from where the head is.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`.
        """

    @abstractmethod
    def detections(self, measured: Measurement) -> list[Detection]:
        """What is detected in that picture, best first.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`.
        """

    @abstractmethod
    def close(self) -> None:
        """Frees what it holds."""

    def photograph(self, measured: Measurement) -> Photo:
        """A picture from where the head is; raises as `picture`."""
        return Photo(jpeg(self.picture(measured)), self._intrinsics, measured.pose.head)

    def detect(self, labels: Sequence[str], measured: Measurement) -> Sight:
        """What is detected: those kinds only, all where there are none; raises as `detections`."""
        camera = camera_pose(measured.pose.head)
        found = [thing for thing in self.detections(measured) if not labels or thing.label in labels]
        return Sight(tuple(_seen(locate(thing, self._intrinsics, camera)) for thing in found), camera)

    def describe(self, measured: Measurement) -> SceneAnswer:
        """The view, or without one what is detected, in words; raises as `detections`."""
        found = self.detections(measured)
        return SceneAnswer(self._view or listing(found, self._intrinsics.width), tuple(thing.label for thing in found))


def _seen(sighting: Sighting) -> SeenThing:
    position = None if sighting.position is None else _triple(sighting.position)
    return SeenThing(sighting.detection.label, sighting.detection.confidence, _triple(sighting.bearing), position)


def _triple(vector: Vector) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in vector)
    return x, y, z
