"""A picture within the fixed shape that a network looks at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image as PillowImage

from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import BoundingBox

_GREY = 114
"""What networks of the YOLO family see around pictures of another shape while they are trained."""


@dataclass(frozen=True)
class Letterbox:
    """Scales without distorting, and centres.

    Attributes:
        width: Of the picture, pixels.
        height: Of the picture, pixels.
        inner_width: Of what the network looks at, pixels.
        inner_height: Of what the network looks at, pixels.
    """

    width: int
    height: int
    inner_width: int
    inner_height: int

    @property
    def scale(self) -> float:
        """Pixels of the network's per pixel of the picture."""
        return min(self.inner_width / self.width, self.inner_height / self.height)

    @property
    def _size(self) -> tuple[int, int]:
        return max(1, round(self.width * self.scale)), max(1, round(self.height * self.scale))

    @property
    def _margin(self) -> tuple[int, int]:
        width, height = self._size
        return (self.inner_width - width) // 2, (self.inner_height - height) // 2

    def apply(self, image: Image) -> Image:
        """The picture as the network is shown it."""
        (width, height), (left, top) = self._size, self._margin
        canvas = np.full((self.inner_height, self.inner_width, 3), _GREY, np.uint8)
        scaled = PillowImage.fromarray(image)
        if scaled.size != (width, height):
            scaled = scaled.resize((width, height), PillowImage.Resampling.BILINEAR)
        canvas[top : top + height, left : left + width] = np.asarray(scaled)
        return canvas

    def undo(self, box: BoundingBox) -> BoundingBox:
        """A box of the network's as one of the picture, cut off where the picture ends."""
        left, top = self._margin
        return BoundingBox(
            x0=_within((box.x0 - left) / self.scale, self.width),
            y0=_within((box.y0 - top) / self.scale, self.height),
            x1=_within((box.x1 - left) / self.scale, self.width),
            y1=_within((box.y1 - top) / self.scale, self.height),
        )


def _within(value: float, limit: int) -> float:
    return min(max(float(value), 0.0), float(limit))
