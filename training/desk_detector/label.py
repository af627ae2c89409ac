"""Label of an object in a picture."""

from __future__ import annotations

from typing import NamedTuple

MIN_UNCOVERED, MIN_INSIDE, MIN_PIXELS = 0.25, 0.1, 30.0
"""An object of which less is seen is neither taught nor denied."""


class Label(NamedTuple):
    """One object in one picture.

    Attributes:
        kind: Index in `KINDS`.
        x0: pixels; the box contains the visible part of the object.
        y0: pixels.
        x1: pixels.
        y1: pixels.
        uncovered: Share, 0..1, of its pixels within the picture that nothing hides.
        inside: Share, 0..1, of its corners that the picture's edge leaves.
        pixels: How many are seen of it.
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
        """Share of the object, 0..1, that neither another thing nor the picture's edge hides."""
        return self.uncovered * self.inside
