"""Average precision of detections: the area under the curve of precision over recall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from reachy_agent_ros.vision.detection import BoundingBox, Detection

OVERLAP = 0.5
"""Minimum intersection over union of a correct box: mAP@0.5."""


class Target(NamedTuple):
    """Ground truth of one object: its kind and its bounding box.

    Attributes:
        label: Kind of object.
        box: Box in the image.
        counts: Whether it counts. Other boxes are ignored, whether or not they are detected.
    """

    label: str
    box: BoundingBox
    counts: bool = True


Example = tuple[Sequence[Detection], Sequence[Target]]
"""Detections and ground truth boxes of an image."""


def mean_average_precision(examples: Sequence[Example], labels: Iterable[str]) -> float:
    """Returns the mean of `average_precision` (0 to 1) over the kinds of objects."""
    return float(np.mean([average_precision(examples, label) for label in labels]))


def average_precision(examples: Sequence[Example], label: str) -> float:
    """Returns the area (0 to 1) under the curve of interpolated precision over recall (PASCAL VOC since 2010).

    Args:
        examples: All images, with detections down to the lowest confidence.
        label: Kind of object.

    Raises:
        ValueError: No counting box has that label.
    """
    wanted = sum(target.counts for _, targets in examples for target in targets if target.label == label)
    if wanted == 0:
        raise ValueError(f"no {label} is to be found in these pictures")
    verdicts = sorted((verdict for example in examples for verdict in _verdicts(*example, label)), reverse=True)
    right = np.cumsum([found for _, found in verdicts])
    precision = right / np.arange(1, len(verdicts) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    steps = np.diff(right, prepend=0) / wanted
    return float(best @ steps)


def _verdicts(detections: Sequence[Detection], targets: Sequence[Target], label: str) -> Iterable[tuple[float, bool]]:
    """Yields the confidence of each detection and whether it is correct. Detections of ignored boxes are omitted."""
    for detection, target in matches(detections, targets, label):
        if target is None or target.counts:
            yield detection.confidence, target is not None


def matches(
    detections: Sequence[Detection], targets: Sequence[Target], label: str
) -> Iterable[tuple[Detection, Target | None]]:
    """Assigns to every detection of a kind the unassigned target with the largest overlap, at least `OVERLAP`, or None.

    Detections with higher confidence come first. A target that counts is preferred to one that does not.
    """
    left = [target for target in targets if target.label == label]
    for detection in sorted(detections, key=lambda one: -one.confidence):
        if detection.label != label:
            continue
        close = [target for target in left if detection.box.overlap(target.box) >= OVERLAP]
        # Counting targets come first: an ignored one next to them must not take their detection.
        found = max(close, key=lambda target: (target.counts, detection.box.overlap(target.box)), default=None)
        if found is not None:
            left.remove(found)
        yield detection, found
