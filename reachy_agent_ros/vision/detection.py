"""Detections, protocol of object detectors, and non-maximum suppression."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from reachy_agent_ros.vision.camera import Image

SAME_OVERLAP = 0.5
"""Minimum intersection over union at which two boxes with the same label are one object."""


class BoundingBox(NamedTuple):
    """Axis-aligned box, in pixels from the upper left corner of the image. `x1` and `y1` are exclusive."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def center(self) -> tuple[float, float]:
        """Center of the box (pixels)."""
        return (self.x0 + self.x1) / 2.0, (self.y0 + self.y1) / 2.0

    @property
    def area(self) -> float:
        """Area of the box (square pixels)."""
        return max(0.0, self.x1 - self.x0) * max(0.0, self.y1 - self.y0)

    def overlap(self, other: BoundingBox) -> float:
        """Returns the intersection over union (0 to 1) with another box."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        if width <= 0.0 or height <= 0.0:
            return 0.0
        shared = width * height
        return shared / (self.area + other.area - shared)


@dataclass(frozen=True)
class Detection:
    """Object detected in an image.

    Attributes:
        label: Kind of object.
        confidence: Confidence, 0 to 1.
        box: Box in the image.
    """

    label: str
    confidence: float
    box: BoundingBox


class Detector(Protocol):
    """Protocol of object detectors. Use from one thread."""

    @property
    def name(self) -> str:
        """Name of the detector, for messages and logs."""
        ...

    @property
    def labels(self) -> Sequence[str]:
        """Labels that the detector supports. Empty if the detector has no fixed list."""
        ...

    def detect(self, image: Image) -> list[Detection]:
        """Finds the objects in an image, best first.

        Raises:
            AgentError: `DETECTOR_UNAVAILABLE` if the detector currently cannot run, or another error of the detector.
        """
        ...


def strongest(detections: Iterable[Detection], overlap: float = SAME_OVERLAP) -> list[Detection]:
    """Removes duplicates by greedy non-maximum suppression within each label. Returns one box per object, best first.

    Args:
        detections: Detections in any order.
        overlap: Minimum intersection over union at which the weaker of two boxes is dropped, 0 to 1.
    """
    kept: list[Detection] = []
    for candidate in sorted(detections, key=lambda detection: -detection.confidence):
        if all(candidate.label != other.label or candidate.box.overlap(other.box) < overlap for other in kept):
            kept.append(candidate)
    return kept
