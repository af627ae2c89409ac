"""One box a thing: the best of those that a network gives for the same one."""

from __future__ import annotations

from collections.abc import Iterable

from reachy_agent_ros.vision.detection import Detection

OVERLAP = 0.5
"""Intersection over union from which two boxes of one kind are of one thing."""


def strongest(detections: Iterable[Detection], overlap: float = OVERLAP) -> list[Detection]:
    """Greedy non-maximum suppression within each kind, best first.

    Args:
        detections: In any order.
        overlap: Intersection over union from which the weaker of two boxes is dropped, 0..1.
    """
    kept: list[Detection] = []
    for candidate in sorted(detections, key=lambda detection: -detection.confidence):
        if all(candidate.label != other.label or candidate.box.overlap(other.box) < overlap for other in kept):
            kept.append(candidate)
    return kept
