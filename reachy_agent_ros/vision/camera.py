"""What a camera is: a picture with its intrinsics, and with where the head was when it was taken."""

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
"""Height x width x 3, RGB, 8 bits."""

JPEG_QUALITY = 85

HEAD_PATIENCE = 2.0
"""Seconds that a camera waits for the pose of the head."""

HISTORY_DEPTH = 100
"""Poses that a `HeadHistory` remembers: two seconds of what the bridge publishes."""


@dataclass(frozen=True)
class Intrinsics:
    """A pinhole camera without distortion.

    Attributes:
        width: pixels.
        height: pixels.
        focal_length: pixels, the same along both axes.
    """

    width: int
    height: int
    focal_length: float

    @classmethod
    def from_field_of_view(cls, width: int, height: int, vertical: float) -> Intrinsics:
        """Intrinsics of a picture that spans the angle `vertical`, rad, from its upper to its lower edge."""
        return cls(width, height, height / 2.0 / math.tan(vertical / 2.0))

    @property
    def centre(self) -> tuple[float, float]:
        """Principal point, pixels from the upper left corner of the upper left pixel."""
        return self.width / 2.0, self.height / 2.0


@dataclass(frozen=True)
class Frame:
    """A picture, and where and when it was taken.

    Attributes:
        image: The picture.
        stamp: When it was taken, s on the wall clock.
        head: Measured 4x4 transform of `head` in `head_base` at that moment, m.
        intrinsics: Intrinsics of the picture.
    """

    image: Image
    stamp: float
    head: Matrix
    intrinsics: Intrinsics


class CameraDriver(Protocol):
    """Something that takes pictures. One thread opens, uses and closes it."""

    @property
    def intrinsics(self) -> Intrinsics:
        """How directions become pixels."""
        ...

    def open(self) -> None:
        """Prepares the camera, so that the first picture is not late.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`, saying what is missing.
        """
        ...

    def look(self, heads: HeadHistory, objects: Mapping[str, Matrix], since: float) -> Frame:
        """Takes one picture.

        Args:
            heads: Where the head is; another thread adds poses while this waits.
            objects: True 4x4 transforms in `base_link`, m, of the scene's objects; none for a real camera.
            since: The picture shows a moment after this, s on the wall clock.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`, or `SERVER_UNAVAILABLE` if no pose of the head arrives.
        """
        ...

    def close(self) -> None:
        """Releases the device or the scene. Safe to call twice."""
        ...


class MissingCamera:
    """The camera of a robot without pictures: every request raises an error with the reason.

    Args:
        reason: One sentence for people.
    """

    intrinsics = Intrinsics(0, 0, 0.0)
    """A placeholder: there are no pictures."""

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
        """Does nothing: nothing is open."""


class HeadHistory:
    """Where the head was in the last moments: measured poses of `head` in `head_base` by the wall clock's time.

    What a picture shows is located with the pose of the head when it was taken. Any thread may use this.
    """

    def __init__(self) -> None:
        self._poses: deque[tuple[float, Matrix]] = deque(maxlen=HISTORY_DEPTH)
        self._grown = threading.Condition()

    def add(self, stamp: float, head: Matrix) -> None:
        """Adds the pose at the time `stamp`, s. A stamp that is not later than the last one begins a new history."""
        with self._grown:
            if self._poses and stamp <= self._poses[-1][0]:
                self._poses.clear()
            self._poses.append((stamp, head))
            self._grown.notify_all()

    def newest(self, since: float, timeout: float) -> tuple[float, Matrix]:
        """Returns the latest pose and its time; waits at most `timeout`, s, for one that is not older than `since`, s.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if none came in time.
        """
        deadline = Deadline(timeout)
        with self._grown:
            while not self._poses or self._poses[-1][0] < since:
                if not self._grown.wait(deadline.remaining) and deadline.passed:
                    message = f"Where the head is was not told within {timeout:g} s: the hardware_bridge is silent."
                    raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
            return self._poses[-1]

    def at(self, stamp: float) -> Matrix:
        """The pose at a time, s, interpolated; outside of the remembered times the nearest one.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if no pose is remembered.
        """
        with self._grown:
            poses = list(self._poses)
        if not poses:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "Where the head was is not known.")
        after = bisect([time for time, _ in poses], stamp)
        if after in (0, len(poses)):
            return poses[min(after, len(poses) - 1)][1]
        (earlier, start), (later, end) = poses[after - 1], poses[after]
        return start if stamp == earlier else interpolate(start, end, (stamp - earlier) / (later - earlier))


def jpeg(image: Image) -> bytes:
    """The picture as a JPEG."""
    buffer = io.BytesIO()
    PillowImage.fromarray(image).save(buffer, format="JPEG", quality=JPEG_QUALITY)
    return buffer.getvalue()
