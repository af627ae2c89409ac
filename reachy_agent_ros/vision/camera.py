"""Camera interface: images with intrinsics and head pose, and the history of head poses."""

from __future__ import annotations

import io
import math
import threading
from bisect import bisect
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, interpolate

Image = NDArray[np.uint8]
"""Image array: height x width x 3, RGB, 8 bits."""

JPEG_QUALITY = 85

HEAD_PATIENCE = 2.0
"""Time to wait for the pose of the head, s."""

HISTORY_DEPTH = 100
"""Number of poses in a `HeadHistory`: those that the bridge publishes in 2 s."""


@dataclass(frozen=True)
class Intrinsics:
    """Intrinsics of a pinhole camera without distortion.

    Attributes:
        width: Width, pixels.
        height: Height, pixels.
        focal_length: Focal length along both axes, pixels.
    """

    width: int
    height: int
    focal_length: float

    @classmethod
    def from_field_of_view(cls, width: int, height: int, vertical: float) -> Intrinsics:
        """Returns the intrinsics of an image with the vertical field of view `vertical` (rad)."""
        return cls(width, height, height / 2.0 / math.tan(vertical / 2.0))

    @property
    def center(self) -> tuple[float, float]:
        """Principal point (pixels) relative to the upper left corner of the upper left pixel."""
        return self.width / 2.0, self.height / 2.0


@dataclass(frozen=True)
class Frame:
    """Camera image with its time, head pose and intrinsics.

    Attributes:
        image: Image.
        stamp: Wall clock time of the image, s.
        head: Measured 4x4 transform of `head` in `head_base` at that time, m.
        intrinsics: Intrinsics of the image.
    """

    image: Image
    stamp: float
    head: Matrix
    intrinsics: Intrinsics


class CameraDriver(Protocol):
    """Protocol of cameras. A single thread must open, use and close a camera."""

    @property
    def intrinsics(self) -> Intrinsics:
        """Intrinsics of the images."""
        ...

    def open(self) -> None:
        """Opens the camera, so that opening does not delay the first image.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`, with the reason.
        """
        ...

    def look(self, heads: HeadHistory, objects: Mapping[str, Matrix], since: float) -> Frame:
        """Takes one image.

        Args:
            heads: Poses of the head; another thread adds poses while this method waits.
            objects: True 4x4 transforms of the scene's objects in `base_link`, m; empty for a real camera.
            since: Wall clock time after which the image is taken, s.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`, or `SERVER_UNAVAILABLE` if no pose of the head arrives.
        """
        ...

    def close(self) -> None:
        """Releases the camera device or the simulated scene. Can be called more than once."""
        ...


class MissingCamera:
    """Placeholder for a missing camera. Every request raises an error that states why the camera is missing.

    Args:
        reason: One sentence for people.
    """

    intrinsics = Intrinsics(0, 0, 0.0)
    """Placeholder: there are no images."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def open(self) -> NoReturn:
        """Raises `AgentError(CAMERA_UNAVAILABLE)`."""
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, self._reason)

    def look(self, *_: object, **__: object) -> NoReturn:
        """Raises `AgentError(CAMERA_UNAVAILABLE)`."""
        self.open()

    def capture(self, *_: object, **__: object) -> NoReturn:
        """Raises `AgentError(CAMERA_UNAVAILABLE)`."""
        self.open()

    def close(self) -> None:
        """Does nothing, because no device is open."""


class HeadHistory:
    """History of recently measured poses of `head` in `head_base`, each with its wall-clock time.

    Objects in an image are located with the pose of the head at the time of the image. Any thread may use this.
    """

    def __init__(self) -> None:
        self._poses: deque[tuple[float, Matrix]] = deque(maxlen=HISTORY_DEPTH)
        self._grown = threading.Condition()

    def add(self, stamp: float, head: Matrix) -> None:
        """Adds the pose at the time `stamp` (s). If `stamp` is not later than the last stamp, starts a new history."""
        with self._grown:
            if self._poses and stamp <= self._poses[-1][0]:
                self._poses.clear()
            self._poses.append((stamp, head))
            self._grown.notify_all()

    def newest(self, since: float, timeout: float) -> tuple[float, Matrix]:
        """Returns the latest pose and its time. Waits up to `timeout` (s) for a pose not older than `since` (s).

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if no pose arrived in time.
        """
        deadline = Deadline(timeout)
        with self._grown:
            while not self._poses or self._poses[-1][0] < since:
                if not self._grown.wait(deadline.remaining) and deadline.passed:
                    message = f"No head pose within {timeout:g} s: the hardware_bridge is silent."
                    raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
            return self._poses[-1]

    def at(self, stamp: float) -> Matrix:
        """Interpolates the pose at a time (s). For a time outside the history, returns the nearest pose.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if the history is empty.
        """
        with self._grown:
            poses = list(self._poses)
        if not poses:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "No head pose has arrived: the hardware_bridge is silent.")
        after = bisect([time for time, _ in poses], stamp)
        if after in (0, len(poses)):
            return poses[min(after, len(poses) - 1)][1]
        (earlier, start), (later, end) = poses[after - 1], poses[after]
        return start if stamp == earlier else interpolate(start, end, (stamp - earlier) / (later - earlier))


def jpeg(image: Image) -> bytes:
    """Encodes an image as JPEG."""
    buffer = io.BytesIO()
    PillowImage.fromarray(image).save(buffer, format="JPEG", quality=JPEG_QUALITY)
    return buffer.getvalue()
