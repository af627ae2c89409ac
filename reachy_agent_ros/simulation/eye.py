"""Simulated cameras, with images drawn without OpenGL or rendered by MuJoCo.

The cameras also provide detections and answers about the scene.
"""

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
"""Minimum share of an object's box that must be within the image for a detection."""

_Drawn = TypeVar("_Drawn")


class Eye(ABC):
    """Base class of simulated cameras, which provide photos, detections and answers about the scene.

    Args:
        intrinsics: Camera intrinsics.
        view: Answer of a vision model for any image; empty if there is no vision model.
    """

    def __init__(self, intrinsics: Intrinsics, view: str = "") -> None:
        self._intrinsics = intrinsics
        self._view = view

    @abstractmethod
    def picture(self, measured: Measurement) -> Image:
        """Returns an image taken from the current pose of the head.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`.
        """

    @abstractmethod
    def detections(self, measured: Measurement) -> list[Detection]:
        """Returns the detections in the image that `picture` returns, with the best detection first.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`.
        """

    @abstractmethod
    def close(self) -> None:
        """Frees all resources."""

    def photograph(self, measured: Measurement) -> Photo:
        """Takes a photo from the current pose of the head. Raises the same errors as `picture`."""
        return Photo(jpeg(self.picture(measured)), self._intrinsics, measured.pose.head)

    def detect(self, labels: Sequence[str], measured: Measurement) -> Sight:
        """Detects objects with the given labels, or all objects if `labels` is empty.

        Raises the same errors as `detections`.
        """
        camera = camera_pose(measured.pose.head)
        found = [thing for thing in self.detections(measured) if not labels or thing.label in labels]
        return Sight(tuple(_seen(locate(thing, self._intrinsics, camera)) for thing in found), camera)

    def describe(self, measured: Measurement) -> SceneAnswer:
        """Returns the configured answer or, by default, a list of detections.

        Raises the same errors as `detections`.
        """
        found = self.detections(measured)
        return SceneAnswer(self._view or listing(found, self._intrinsics.width), tuple(thing.label for thing in found))


class DrawnEye(Eye):
    """Deterministic camera without OpenGL. Its images, detections and answers are derived from the same objects."""

    def __init__(self) -> None:
        super().__init__(Intrinsics.from_field_of_view(WIDTH, HEIGHT, math.radians(VERTICAL_FIELD_OF_VIEW)))
        columns, rows = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
        cx, cy = self._intrinsics.center
        focal = np.full_like(columns, self._intrinsics.focal_length)
        self._rays = np.stack((columns - cx, rows - cy, focal), axis=-1)

    def picture(self, measured: Measurement) -> Image:
        """Draws an image of the desk as seen from the current pose of the head."""
        camera = camera_pose(measured.pose.head)
        below = self._rays @ camera[2, :3] < 0.0
        image = PillowImage.fromarray(np.where(below[..., None], _TABLE, _WALL).astype(np.uint8))
        brush = ImageDraw.Draw(image)
        for thing in _THINGS:
            box = self._box(thing, camera)
            if box is not None:
                brush.ellipse(tuple(box), fill=thing.color)
        return np.asarray(image)

    def detections(self, measured: Measurement) -> list[Detection]:
        """Returns detections of the objects that are sufficiently visible in the image."""
        camera = camera_pose(measured.pose.head)
        found = []
        for thing in _THINGS:
            box = self._box(thing, camera)
            shown = box and _within(box)
            if box and shown and shown.area >= _LEAST_SHOWN * box.area:
                found.append(Detection(thing.label, _CONFIDENCE, shown))
        return found

    def close(self) -> None:
        """Does nothing, because there are no resources to free."""

    def _box(self, thing: _Thing, camera: Matrix) -> BoundingBox | None:
        """Returns the bounding box of an object, or None if the object is behind the camera.

        Parts of the box may be outside the image.
        """
        middle = np.array([thing.x, thing.y, MIDDLE_HEIGHTS[thing.label]])
        seen = camera[:3, :3].T @ (middle - camera[:3, 3])
        pixel = pixel_of(seen, self._intrinsics)
        if pixel is None:
            return None
        scale = self._intrinsics.focal_length / float(seen[2])
        width, height = scale * thing.half_width, scale * thing.half_height
        return BoundingBox(pixel[0] - width, pixel[1] - height, pixel[0] + width, pixel[1] + height)


class SimulatedEye(Eye):
    """Camera with images rendered by MuJoCo and the real object detector. Loads its resources on first use.

    Thread-safe.

    Args:
        scene: One of `description.SCENES`.
        view: Answer of a vision model for any image; empty if there is no vision model.
        blind: Whether the camera is unavailable.
        mounting: True mounting of the camera, which is not known when images are evaluated.
    """

    def __init__(self, scene: str, view: str = "", blind: bool = False, mounting: Mounting = AS_IN_THE_MODEL) -> None:
        self._blind = blind
        self._mounting = mounting
        self._camera = SceneCamera(scene, WIDTH, HEIGHT)
        self._drawer = ThreadPoolExecutor(1, thread_name_prefix="eye")  # graphics contexts are bound to one thread
        super().__init__(self._camera.intrinsics, view)

    def picture(self, measured: Measurement) -> Image:
        """Renders the image of the camera at the current pose of the head."""
        if self._blind:
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, "The camera does not answer.")
        return self._drawn(lambda: self._camera.capture(self._mounting.head(measured.pose.head), measured.objects))

    def detections(self, measured: Measurement) -> list[Detection]:
        """Returns the detections in a new image."""
        image = self.picture(measured)
        return self._drawn(lambda: self._detector.detect(image))

    def close(self) -> None:
        """Closes the renderer."""
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
    """Object on the desk: an ellipse with semi-axes in meters, at its position in the simulated scene."""

    label: str
    x: float
    y: float
    half_width: float
    half_height: float
    color: tuple[int, int, int]


_THINGS = (
    _Thing("apple", 0.6, -0.2, 0.040, 0.040, (178, 34, 42)),
    _Thing("croissant", 0.6, 0.1, 0.062, 0.026, (206, 138, 58)),
    _Thing("duck", 0.6, 0.3, 0.044, 0.050, (244, 206, 44)),
)


def _within(box: BoundingBox) -> BoundingBox:
    return BoundingBox(max(box.x0, 0.0), max(box.y0, 0.0), min(box.x1, float(WIDTH)), min(box.y1, float(HEIGHT)))
