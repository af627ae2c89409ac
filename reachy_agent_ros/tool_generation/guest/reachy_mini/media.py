"""The robot's camera, as the SDK's media manager offers it."""

from __future__ import annotations

import base64
from typing import Any, NoReturn

import cv2
import numpy as np

from ..host import HostError, ask
from ..not_offered import not_offered, public


class Camera:
    """The camera itself."""

    def read(self) -> np.ndarray[Any, Any] | None:
        """A fresh picture: BGR, shape (height, width, 3), uint8; None where the camera does not answer."""
        jpeg = self.read_jpeg()
        return None if jpeg is None else cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)

    def read_jpeg(self) -> bytes | None:
        """The same as JPEG."""
        frame = _frame()
        return None if frame is None else base64.b64decode(frame["jpeg"])

    @property
    def resolution(self) -> tuple[int, int]:
        """Width and height, pixels."""
        lens = ask("lens")
        return lens["width"], lens["height"]

    def get_frame(self) -> np.ndarray[Any, Any] | None:
        """As `read`."""
        return self.read()

    def __getattr__(self, name: str) -> NoReturn:
        raise not_offered("media.camera", name, public(Camera))


class Media:
    """The camera, and no sound: a tool speaks by `say`.

    Attributes:
        camera: The camera.
    """

    camera = Camera()

    def get_frame(self) -> np.ndarray[Any, Any] | None:
        """As `Camera.read`."""
        return self.camera.read()

    def get_frame_jpeg(self) -> bytes | None:
        """As `Camera.read_jpeg`."""
        return self.camera.read_jpeg()

    def __getattr__(self, name: str) -> NoReturn:
        raise not_offered("media", name, public(Media))


def _frame() -> Any:
    try:
        return ask("frame")
    except HostError as error:
        if error.code != "CAMERA_UNAVAILABLE":
            raise RuntimeError(str(error)) from None
        return None
