"""A real camera: whatever OpenCV can open, which on Linux is V4L2."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.vision.camera import HEAD_PATIENCE, Frame, Image, Intrinsics
from reachy_agent_ros.vision.head_history import HeadHistory
from reachy_agent_ros.vision.lens import Lens

_WAITING = 1
"""Pictures that the device keeps for whoever comes late: they show the past."""


class VideoCamera:
    """Takes pictures with a device and straightens them, so that they follow from `intrinsics` without distortion.

    Args:
        device: Number or path of a device; a video file stands in for one.
        width: Of the pictures it gives, pixels; the device is asked for the same.
        height: The same.
        field_of_view: From the upper to the lower edge of the device's own picture, rad, where nobody has measured it.
        calibration: File as `Lens.read` reads it, None where there is none.
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
        """Of the straightened picture; measured ones once it is open, if there is a calibration."""
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
            heads: Where the head is; it is being told more while this waits.
            objects: Of no use: the camera sees for itself.
            since: The picture shows a moment after this, s on the wall clock.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`, or `SERVER_UNAVAILABLE` where nobody tells where the head is.
        """
        image, stamp = self.read()
        heads.newest(stamp, HEAD_PATIENCE)
        return Frame(image, stamp, heads.at(stamp), self._intrinsics)

    def read(self) -> tuple[Image, float]:
        """Takes one picture; returns it with the time at which the device gave it, s on the wall clock.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`; the next call tries to open the device anew.
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
        """Lets go of the device."""
        if self._opened is not None:
            self._opened[0].release()
            self._opened = None

    def _ready(self) -> tuple[Any, tuple[Any, Any]]:
        """The open device, and the way from its pictures to ours."""
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
        """The way from pictures of that size to ours."""
        if self._calibration is None:
            lens = Lens.from_field_of_view(width, height, self._field_of_view)
        else:
            lens = Lens.read(self._calibration).scaled(width, height)
        self._intrinsics = pinhole = lens.pinhole(*self._size)
        focal, (cx, cy) = pinhole.focal_length, pinhole.centre
        # Ours count from the upper left pixel's corner, OpenCV's from its middle.
        ideal = np.array([[focal, 0.0, cx - 0.5], [0.0, focal, cy - 0.5], [0.0, 0.0, 1.0]])
        maps: tuple[Any, Any] = cv2.initUndistortRectifyMap(
            lens.matrix, lens.distortion, np.eye(3), ideal, self._size, cv2.CV_16SC2
        )
        return maps


def _opencv() -> ModuleType:
    """OpenCV, only for those who have a camera: it takes 60 MB and a fifth of a second."""
    try:
        import cv2
    except ImportError as error:
        message = f"A real camera is read with OpenCV, which cannot be loaded: {error}."
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error
    return cv2
