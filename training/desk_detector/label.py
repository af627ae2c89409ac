"""Label of an object in an image."""

from __future__ import annotations

from typing import NamedTuple

MIN_UNCOVERED, MIN_INSIDE, MIN_PIXELS = 0.25, 0.1, 30.0
"""Minimum visibility of an object. Below it, the object counts neither as a positive nor as a negative example."""


class Label(NamedTuple):
    """Label of one object in one image.

    Attributes:
        kind: Index in `KINDS`.
        x0: Left edge of the box around the visible part of the object, pixels.
        y0: Upper edge, pixels.
        x1: Right edge, pixels.
        y1: Lower edge, pixels.
        uncovered: Share of its pixels within the image that are not hidden, 0..1.
        inside: Share of its corners that are within the image, 0..1.
        pixels: Number of visible pixels.
    """

    kind: float
    x0: float
    y0: float
    x1: float
    y1: float
    uncovered: float
    inside: float
    pixels: float

    @property
    def visible(self) -> float:
        """Share (0..1) of the object that is neither hidden nor outside the image."""
        return self.uncovered * self.inside
