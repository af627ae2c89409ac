"""A real camera: whatever OpenCV can open, which on Linux is V4L2, with its lens distortion removed."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import yaml

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.storage.strict_yaml import YAML_ERRORS
from reachy_agent_ros.vision.camera import HEAD_PATIENCE, Frame, HeadHistory, Image, Intrinsics

_WAITING = 1
"""Pictures that the device buffers; they show the past, so they are skipped."""


class VideoCamera:
    """Takes pictures with a device and removes the distortion, so that `intrinsics` describes them.

    Args:
        device: Number or path of a device; a video file can stand in for one.
        width: Width of the pictures, pixels; the device is asked for the same.
        height: Height of the pictures, pixels; likewise.
        field_of_view: Vertical angle that the device's own picture spans, rad; used without a calibration.
        calibration: Calibration file as `Lens.read` reads it; None if there is none.
    """

    def __init__(
        self, device: str, width: int, height: int, field_of_view: float, calibration: Path | None = None
    ) -> None:
        self._device = device
        self._size = width, height
        self._field_of_view = field_of_view
        self._calibration = calibration
        self._intrinsics = Intrinsics.from_field_of_view(width, height, field_of_view)
        self._opened: tuple[Any, tuple[Any, Any]] | None = None

    @property
    def intrinsics(self) -> Intrinsics:
        """Intrinsics of the undistorted pictures; taken from the calibration, if there is one, by `open`."""
        return self._intrinsics

    def open(self) -> None:
        """Opens the device and takes one picture with it.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`: OpenCV is not installed, there is no such device, or it gives nothing.
        """
        self._ready()

    def look(self, heads: HeadHistory, objects: Mapping[str, Matrix], since: float) -> Frame:
        """Takes one picture, and finds out where the head was then.

        Args:
            heads: Where the head is; another thread adds poses while this waits.
            objects: Ignored: a real camera needs no poses of objects.
            since: The picture shows a moment after this, s on the wall clock.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`, or `SERVER_UNAVAILABLE` if no pose of the head arrives.
        """
        image, stamp = self.read()
        heads.newest(stamp, HEAD_PATIENCE)
        return Frame(image, stamp, heads.at(stamp), self._intrinsics)

    def read(self) -> tuple[Image, float]:
        """Takes one picture; returns it and the time at which the device delivered it, s on the wall clock.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`; the next call tries to open the device again.
        """
        video, maps = self._ready()
        taken = all(video.grab() for _ in range(_WAITING + 1))
        stamp = time.time()
        taken, picture = video.retrieve() if taken else (False, None)
        if not taken:
            self.close()
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, f"The camera {self._device} gives no more pictures.")
        cv2 = _opencv()
        straight = cv2.remap(picture, *maps, cv2.INTER_LINEAR)
        return np.ascontiguousarray(straight[:, :, ::-1]), stamp

    def close(self) -> None:
        """Releases the device."""
        if self._opened is not None:
            self._opened[0].release()
            self._opened = None

    def _ready(self) -> tuple[Any, tuple[Any, Any]]:
        """The open device, and the maps from its pictures to ours."""
        if self._opened is None:
            cv2 = _opencv()
            video = cv2.VideoCapture(int(self._device) if self._device.isdigit() else self._device)
            video.set(cv2.CAP_PROP_BUFFERSIZE, _WAITING)
            video.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            video.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
            taken, picture = video.read()
            if not taken:
                video.release()
                raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, f"The camera {self._device} cannot be opened.")
            height, width, _ = picture.shape
            self._opened = video, self._straightening(cv2, width, height)
        return self._opened

    def _straightening(self, cv2: ModuleType, width: int, height: int) -> tuple[Any, Any]:
        """The maps from pictures of that size to ours."""
        if self._calibration is None:
            lens = Lens.from_field_of_view(width, height, self._field_of_view)
        else:
            lens = Lens.read(self._calibration).scaled(width, height)
        self._intrinsics = pinhole = lens.pinhole(*self._size)
        focal, (cx, cy) = pinhole.focal_length, pinhole.centre
        # Our pixel coordinates count from the corner of the upper left pixel, OpenCV's from its center.
        ideal = np.array([[focal, 0.0, cx - 0.5], [0.0, focal, cy - 0.5], [0.0, 0.0, 1.0]])
        maps: tuple[Any, Any] = cv2.initUndistortRectifyMap(
            lens.matrix, lens.distortion, np.eye(3), ideal, self._size, cv2.CV_16SC2
        )
        return maps


@dataclass(frozen=True)
class Lens:
    """A camera matrix and the distortion of the lens, in the model of OpenCV and ROS (`plumb_bob`).

    Attributes:
        width: Width of the pictures that it was measured on, pixels.
        height: Height of these pictures, pixels.
        matrix: 3x3, pixels, counted from the center of the upper left one, as in OpenCV.
        distortion: Coefficients in OpenCV's order; empty for none.
    """

    width: int
    height: int
    matrix: Matrix
    distortion: Vector

    @classmethod
    def from_field_of_view(cls, width: int, height: int, vertical: float) -> Lens:
        """A lens without distortion whose picture spans the vertical angle `vertical`, rad."""
        focal_length = height / 2.0 / math.tan(vertical / 2.0)
        matrix = np.array(
            [[focal_length, 0.0, (width - 1) / 2.0], [0.0, focal_length, (height - 1) / 2.0], [0.0, 0.0, 1.0]]
        )
        return cls(width, height, matrix, np.zeros(0))

    @classmethod
    def read(cls, path: Path) -> Lens:
        """Reads the file that ROS's `camera_calibration` writes.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`: there is no such file, or it is not a calibration.
        """
        try:
            content = yaml.safe_load(path.read_text())
            matrix = np.array(content["camera_matrix"]["data"], dtype=float).reshape(3, 3)
            distortion = np.array(content["distortion_coefficients"]["data"], dtype=float)
            return cls(int(content["image_width"]), int(content["image_height"]), matrix, distortion)
        except (OSError, OverflowError, *YAML_ERRORS) as error:
            message = f"{path} is no calibration as ROS's camera_calibration writes it: {error}."
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error

    def scaled(self, width: int, height: int) -> Lens:
        """The same lens with pictures of another size."""
        across, down = width / self.width, height / self.height
        scale = np.array([[across, 0.0, (across - 1.0) / 2.0], [0.0, down, (down - 1.0) / 2.0], [0.0, 0.0, 1.0]])
        return Lens(width, height, scale @ self.matrix, self.distortion)

    def pinhole(self, width: int, height: int) -> Intrinsics:
        """An ideal camera with that picture size and the same horizontal field of view."""
        return Intrinsics(width, height, float(self.matrix[0, 0]) * width / self.width)


def _opencv() -> ModuleType:
    """Imports OpenCV. This happens only with a real camera, because it takes 60 MB and a fifth of a second."""
    try:
        import cv2
    except ImportError as error:
        message = f"A real camera is read with OpenCV, which cannot be loaded: {error}."
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error
    return cv2
