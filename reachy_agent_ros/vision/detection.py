"""What is found in a picture: boxes with labels, the interface of detectors, and non-maximum suppression."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from reachy_agent_ros.vision.camera import Image

SAME_OVERLAP = 0.5
"""Intersection over union from which two boxes with one label are the same object."""


class BoundingBox(NamedTuple):
    """An axis-aligned box in pixels from the upper left corner of the picture; `x1` and `y1` are exclusive."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def centre(self) -> tuple[float, float]:
        """Center, pixels."""
        return (self.x0 + self.x1) / 2.0, (self.y0 + self.y1) / 2.0

    @property
    def area(self) -> float:
        """Area, square pixels."""
        return max(0.0, self.x1 - self.x0) * max(0.0, self.y1 - self.y0)

    def overlap(self, other: BoundingBox) -> float:
        """Intersection over union, 0..1."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        if width <= 0.0 or height <= 0.0:
            return 0.0
        shared = width * height
        return shared / (self.area + other.area - shared)


@dataclass(frozen=True)
class Detection:
    """One object in one picture.

    Attributes:
        label: Kind of object.
        confidence: 0..1.
        box: Where it is in the picture.
    """

    label: str
    confidence: float
    box: BoundingBox


class Detector(Protocol):
    """Finds objects in pictures. One thread uses it."""

    @property
    def name(self) -> str:
        """Which detector it is, for messages and logs."""
        ...

    @property
    def labels(self) -> Sequence[str]:
        """Kinds of object that it can find; empty if it has no fixed list."""
        ...

    def detect(self, image: Image) -> list[Detection]:
        """Finds what is in a picture, best first.

        Raises:
            AgentError: `DETECTOR_UNAVAILABLE` if it cannot look at present.
        """
        ...


def strongest(detections: Iterable[Detection], overlap: float = SAME_OVERLAP) -> list[Detection]:
    """Keeps one box for each object, best first: greedy non-maximum suppression within each label.

    Args:
        detections: In any order.
        overlap: Intersection over union from which the weaker of two boxes is dropped, 0..1.
    """
    kept: list[Detection] = []
    for candidate in sorted(detections, key=lambda detection: -detection.confidence):
        if all(candidate.label != other.label or candidate.box.overlap(other.box) < overlap for other in kept):
            kept.append(candidate)
    return kept
