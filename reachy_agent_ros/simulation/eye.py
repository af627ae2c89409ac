"""What a simulated robot sees: drawn without graphics or rendered by MuJoCo, and what is made of it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.tools.body import Photo, SceneAnswer, SeenThing, Sight
from reachy_agent_ros.vision.camera import Image, Intrinsics, jpeg
from reachy_agent_ros.vision.desk_detector import DeskDetector
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.eye import AS_IN_THE_MODEL, Mounting, camera_pose, pixel_of
from reachy_agent_ros.vision.localiser import MIDDLE_HEIGHTS, Sighting, locate
from reachy_agent_ros.vision.scene_camera import SceneCamera
from reachy_agent_ros.vision.scene_description import listing
from reachy_agent_ros.vision.scene_model import VERTICAL_FIELD_OF_VIEW

WIDTH, HEIGHT = 640, 480

_WALL, _TABLE = (196, 205, 212), (146, 104, 68)

_CONFIDENCE = 0.9

_LEAST_SHOWN = 0.3
"""Share of a thing's box that must be within the picture for it to be recognised."""

_Drawn = TypeVar("_Drawn")


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


class DrawnEye(Eye):
    """Picture, detections and answers agree, because all come from where the things are. Deterministic."""

    def __init__(self) -> None:
        super().__init__(Intrinsics.from_field_of_view(WIDTH, HEIGHT, math.radians(VERTICAL_FIELD_OF_VIEW)))
        columns, rows = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
        cx, cy = self._intrinsics.centre
        focal = np.full_like(columns, self._intrinsics.focal_length)
        self._rays = np.stack((columns - cx, rows - cy, focal), axis=-1)

    def picture(self, measured: Measurement) -> Image:
        """The desk from where the head is."""
        camera = camera_pose(measured.pose.head)
        below = self._rays @ camera[2, :3] < 0.0
        image = PillowImage.fromarray(np.where(below[..., None], _TABLE, _WALL).astype(np.uint8))
        brush = ImageDraw.Draw(image)
        for thing in _THINGS:
            box = self._box(thing, camera)
            if box is not None:
                brush.ellipse(tuple(box), fill=thing.colour)
        return np.asarray(image)

    def detections(self, measured: Measurement) -> list[Detection]:
        """The things that are in that picture for a good part."""
        camera = camera_pose(measured.pose.head)
        found = []
        for thing in _THINGS:
            box = self._box(thing, camera)
            shown = box and _within(box)
            if box and shown and shown.area >= _LEAST_SHOWN * box.area:
                found.append(Detection(thing.label, _CONFIDENCE, shown))
        return found

    def close(self) -> None:
        """Holds nothing."""

    def _box(self, thing: _Thing, camera: Matrix) -> BoundingBox | None:
        """Box around a thing, also where that is outside the picture; None behind the eye."""
        middle = np.array([thing.x, thing.y, MIDDLE_HEIGHTS[thing.label]])
        seen = camera[:3, :3].T @ (middle - camera[:3, 3])
        pixel = pixel_of(seen, self._intrinsics)
        if pixel is None:
            return None
        scale = self._intrinsics.focal_length / float(seen[2])
        width, height = scale * thing.half_width, scale * thing.half_height
        return BoundingBox(pixel[0] - width, pixel[1] - height, pixel[0] + width, pixel[1] + height)


class SimulatedEye(Eye):
    """Draws what the robot sees and detects what is in it. Any thread may use it; the first look loads what that takes.

    Args:
        scene: One of `description.SCENES`.
        view: What a vision model would say of any picture; empty where there is none.
        blind: Whether the camera does not answer.
        mounting: How the eye truly sits in the head, of which nothing is known that judges its pictures.
    """

    def __init__(self, scene: str, view: str = "", blind: bool = False, mounting: Mounting = AS_IN_THE_MODEL) -> None:
        self._blind = blind
        self._mounting = mounting
        self._camera = SceneCamera(scene, WIDTH, HEIGHT)
        self._drawer = ThreadPoolExecutor(1, thread_name_prefix="eye")  # graphics belong to one thread
        super().__init__(self._camera.intrinsics, view)

    def picture(self, measured: Measurement) -> Image:
        """What is to be seen from where the head is."""
        if self._blind:
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, "The camera does not answer.")
        return self._drawn(lambda: self._camera.capture(self._mounting.head(measured.pose.head), measured.objects))

    def detections(self, measured: Measurement) -> list[Detection]:
        """What the detector finds in that picture."""
        image = self.picture(measured)
        return self._drawn(lambda: self._detector.detect(image))

    def close(self) -> None:
        """Frees what draws."""
        self._drawn(self._camera.close)
        self._drawer.shutdown()

    @cached_property
    def _detector(self) -> DeskDetector:
        return DeskDetector()

    def _drawn(self, draw: Callable[[], _Drawn]) -> _Drawn:
        return self._drawer.submit(draw).result()


def _seen(sighting: Sighting) -> SeenThing:
    position = None if sighting.position is None else _triple(sighting.position)
    return SeenThing(sighting.detection.label, sighting.detection.confidence, _triple(sighting.bearing), position)


def _triple(vector: Vector) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in vector)
    return x, y, z


class _Thing(NamedTuple):
    """Something on the desk: an ellipse of half axes in m, where the simulated desk has the real model of it."""

    label: str
    x: float
    y: float
    half_width: float
    half_height: float
    colour: tuple[int, int, int]


_THINGS = (
    _Thing("apple", 0.6, -0.2, 0.040, 0.040, (178, 34, 42)),
    _Thing("croissant", 0.6, 0.1, 0.062, 0.026, (206, 138, 58)),
    _Thing("duck", 0.6, 0.3, 0.044, 0.050, (244, 206, 44)),
)


def _within(box: BoundingBox) -> BoundingBox:
    return BoundingBox(max(box.x0, 0.0), max(box.y0, 0.0), min(box.x1, float(WIDTH)), min(box.y1, float(HEIGHT)))
