"""Real camera, which OpenCV opens (with V4L2 on Linux). Removes the lens distortion from images."""

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
"""Number of images that the device buffers; they are outdated, so they are skipped."""


def require_device(device: str) -> None:
    """Checks, without opening the camera, that a camera device is configured and connected.

    Args:
        device: See `VideoCamera`; empty if none is configured.

    Raises:
        AgentError: `CAMERA_UNAVAILABLE`, with the argument that selects a device.
    """
    if not device:
        message = "No camera configured: set camera_device, for example camera_device:=/dev/video0."
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message)
    path = Path(f"/dev/video{device}" if device.isdigit() else device)
    if path.is_relative_to("/dev") and not path.exists():
        found = ", ".join(map(str, sorted(Path("/dev").glob("video*")))) or "none"
        message = f"There is no camera {path}: connect it, or set camera_device to another one (connected: {found})."
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message)


class VideoCamera:
    """Camera device whose images are undistorted to match `intrinsics`.

    Args:
        device: Number or path of a device, or path of a video file; empty if none is configured.
        width: Width of the images, pixels; also requested from the device.
        height: Height of the images, pixels; also requested from the device.
        field_of_view: Vertical field of view of the device, rad; used without a calibration.
        calibration: Calibration file for `Lens.read`; None if there is none.
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
        """Intrinsics of the undistorted images. If a calibration file exists, `open` loads the intrinsics from it."""
        return self._intrinsics

    def open(self) -> None:
        """Opens the device, and checks that it delivers an image.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` if OpenCV is not installed, the device is missing or delivers no images, or
                the calibration is invalid.
        """
        self._ready()

    def look(self, heads: HeadHistory, objects: Mapping[str, Matrix], since: float) -> Frame:
        """Takes one image, and looks up the pose of the head at the time of the image.

        Args:
            heads: Poses of the head; another thread adds poses while this method waits.
            objects: Ignored, because a real camera does not need the poses of objects.
            since: Ignored, because the image is taken during the call.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`, or `SERVER_UNAVAILABLE` if no pose of the head arrives.
        """
        image, stamp = self.read()
        heads.newest(stamp, HEAD_PATIENCE)
        return Frame(image, stamp, heads.at(stamp), self._intrinsics)

    def read(self) -> tuple[Image, float]:
        """Takes one image. Returns the image and the wall-clock time (s) of its arrival.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`; the next call tries to open the device again.
        """
        video, maps = self._ready()
        taken = all(video.grab() for _ in range(_WAITING + 1))
        stamp = time.time()
        taken, picture = video.retrieve() if taken else (False, None)
        if not taken:
            self.close()
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, f"The camera {self._device} has stopped sending images.")
        cv2 = _opencv()
        straight = cv2.remap(picture, *maps, cv2.INTER_LINEAR)
        return np.ascontiguousarray(straight[:, :, ::-1]), stamp

    def close(self) -> None:
        """Releases the device."""
        if self._opened is not None:
            self._opened[0].release()
            self._opened = None

    def _ready(self) -> tuple[Any, tuple[Any, Any]]:
        """Opens the device if necessary. Returns the device and the undistortion maps."""
        if self._opened is None:
            require_device(self._device)
            cv2 = _opencv()
            video = cv2.VideoCapture(int(self._device) if self._device.isdigit() else self._device)
            video.set(cv2.CAP_PROP_BUFFERSIZE, _WAITING)
            video.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            video.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
            taken, picture = video.read()
            if not taken:
                video.release()
                message = (
                    f"Cannot open the camera {self._device}: close other programs that use it, or set camera_device."
                )
                raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message)
            height, width, _ = picture.shape
            self._opened = video, self._straightening(cv2, width, height)
        return self._opened

    def _straightening(self, cv2: ModuleType, width: int, height: int) -> tuple[Any, Any]:
        """Computes the undistortion maps for device images of the given size."""
        if self._calibration is None:
            lens = Lens.from_field_of_view(width, height, self._field_of_view)
        else:
            lens = Lens.read(self._calibration).scaled(width, height)
        self._intrinsics = pinhole = lens.pinhole(*self._size)
        focal, (cx, cy) = pinhole.focal_length, pinhole.center
        # Pixel coordinates are relative to the corner of the upper left pixel here, but to its center in OpenCV.
        ideal = np.array([[focal, 0.0, cx - 0.5], [0.0, focal, cy - 0.5], [0.0, 0.0, 1.0]])
        maps: tuple[Any, Any] = cv2.initUndistortRectifyMap(
            lens.matrix, lens.distortion, np.eye(3), ideal, self._size, cv2.CV_16SC2
        )
        return maps


@dataclass(frozen=True)
class Lens:
    """Lens model of OpenCV and ROS (`plumb_bob`): camera matrix and distortion.

    Attributes:
        width: Width of the calibration images, pixels.
        height: Height of the calibration images, pixels.
        matrix: 3x3 camera matrix, pixels, relative to the center of the upper left pixel, as in OpenCV.
        distortion: Distortion coefficients in OpenCV's order; empty for none.
    """

    width: int
    height: int
    matrix: Matrix
    distortion: Vector

    @classmethod
    def from_field_of_view(cls, width: int, height: int, vertical: float) -> Lens:
        """Creates a lens without distortion that has the vertical field of view `vertical` (rad)."""
        focal_length = height / 2.0 / math.tan(vertical / 2.0)
        matrix = np.array(
            [[focal_length, 0.0, (width - 1) / 2.0], [0.0, focal_length, (height - 1) / 2.0], [0.0, 0.0, 1.0]]
        )
        return cls(width, height, matrix, np.zeros(0))

    @classmethod
    def read(cls, path: Path) -> Lens:
        """Reads a calibration file in the format of the ROS package `camera_calibration`.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` if the file is missing or not a calibration.
        """
        try:
            content = yaml.safe_load(path.read_text())
            matrix = np.array(content["camera_matrix"]["data"], dtype=float).reshape(3, 3)
            distortion = np.array(content["distortion_coefficients"]["data"], dtype=float)
            return cls(int(content["image_width"]), int(content["image_height"]), matrix, distortion)
        except (OSError, OverflowError, *YAML_ERRORS) as error:
            message = f"{path} is not a calibration file from ROS's camera_calibration: {error}."
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error

    def scaled(self, width: int, height: int) -> Lens:
        """Returns the lens model for another image size."""
        across, down = width / self.width, height / self.height
        scale = np.array([[across, 0.0, (across - 1.0) / 2.0], [0.0, down, (down - 1.0) / 2.0], [0.0, 0.0, 1.0]])
        return Lens(width, height, scale @ self.matrix, self.distortion)

    def pinhole(self, width: int, height: int) -> Intrinsics:
        """Returns the intrinsics of an ideal camera with the given image size and the same horizontal field of view."""
        return Intrinsics(width, height, float(self.matrix[0, 0]) * width / self.width)


def _opencv() -> ModuleType:
    """Imports OpenCV. Call this only for a real camera, because the import needs 60 MB of memory and 0.2 s."""
    try:
        import cv2
    except ImportError as error:
        message = f"Cannot load OpenCV, which a real camera needs: {error}."
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error
    return cv2
