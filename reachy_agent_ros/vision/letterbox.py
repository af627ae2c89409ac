"""Letterboxing: fits an image into the fixed input size of a network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image as PillowImage

from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import BoundingBox

_GRAY = 114
"""Gray level of the padding with which networks of the YOLO family are trained."""


@dataclass(frozen=True)
class Letterbox:
    """Letterbox, which scales an image without distortion, centers the image and fills the border.

    Attributes:
        width: Width of the image, pixels.
        height: Height of the image, pixels.
        inner_width: Width of the network's input, pixels.
        inner_height: Height of the network's input, pixels.
    """

    width: int
    height: int
    inner_width: int
    inner_height: int

    @property
    def scale(self) -> float:
        """Scale factor: number of pixels of the network's input per pixel of the image."""
        return min(self.inner_width / self.width, self.inner_height / self.height)

    @property
    def _size(self) -> tuple[int, int]:
        return max(1, round(self.width * self.scale)), max(1, round(self.height * self.scale))

    @property
    def _margin(self) -> tuple[int, int]:
        width, height = self._size
        return (self.inner_width - width) // 2, (self.inner_height - height) // 2

    def apply(self, image: Image) -> Image:
        """Converts an image to the network's input."""
        (width, height), (left, top) = self._size, self._margin
        canvas = np.full((self.inner_height, self.inner_width, 3), _GRAY, np.uint8)
        scaled = PillowImage.fromarray(image)
        if scaled.size != (width, height):
            scaled = scaled.resize((width, height), PillowImage.Resampling.BILINEAR)
        canvas[top : top + height, left : left + width] = np.asarray(scaled)
        return canvas

    def undo(self, box: BoundingBox) -> BoundingBox:
        """Converts a box from the network's input to the image, and clips the box to the edges of the image."""
        left, top = self._margin
        return BoundingBox(
            x0=_within((box.x0 - left) / self.scale, self.width),
            y0=_within((box.y0 - top) / self.scale, self.height),
            x1=_within((box.x1 - left) / self.scale, self.width),
            y1=_within((box.y1 - top) / self.scale, self.height),
        )


def _within(value: float, limit: int) -> float:
    return min(max(float(value), 0.0), float(limit))
