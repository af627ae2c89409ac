"""What every camera can do."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage

from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.vision.head_history import HeadHistory

Image = NDArray[np.uint8]
"""Height x width x 3, RGB."""

JPEG_QUALITY = 85


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
        image: What was seen.
        stamp: When, s on the wall clock.
        head: Measured 4x4 transform of `head` in `head_base` at that moment, m.
        intrinsics: Of the picture.
    """

    image: Image
    stamp: float
    head: Matrix
    intrinsics: Intrinsics


class Camera(Protocol):
    """Something that takes pictures. One thread opens, uses and closes it."""

    @property
    def intrinsics(self) -> Intrinsics:
        """How directions become pixels."""
        ...

    def open(self) -> None:
        """Makes it ready, so that the first picture is not late.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`, saying what is missing.
        """
        ...

    def look(self, heads: HeadHistory, objects: Mapping[str, Matrix], since: float) -> Frame:
        """Takes one picture.

        Args:
            heads: Where the head is; it is being told more while this waits.
            objects: True 4x4 transforms in `base_link`, m, of the scene's objects; none for a real camera.
            since: The picture shows a moment after this, s on the wall clock.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`, or `SERVER_UNAVAILABLE` where nobody tells where the head is.
        """
        ...

    def close(self) -> None:
        """Lets go of what it holds. Safe to call twice."""
        ...


HEAD_PATIENCE = 2.0
"""s that a camera waits to be told where the head is."""


def jpeg(image: Image) -> bytes:
    """The picture as a JPEG."""
    buffer = io.BytesIO()
    PillowImage.fromarray(image).save(buffer, format="JPEG", quality=JPEG_QUALITY)
    return buffer.getvalue()
