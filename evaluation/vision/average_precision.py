"""How well boxes are found: average precision, the area under the curve of precision over recall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from reachy_agent_ros.vision.detection import BoundingBox, Detection

OVERLAP = 0.5
"""Intersection over union from which a box is right: mAP@0.5."""


class Target(NamedTuple):
    """A true box.

    Attributes:
        label: Kind of thing.
        box: Where it is.
        counts: Whether it is to be found. One that does not count costs nothing, found or not.
    """

    label: str
    box: BoundingBox
    counts: bool = True


Example = tuple[Sequence[Detection], Sequence[Target]]
"""What was found in a picture, and what is in it."""


def mean_average_precision(examples: Sequence[Example], labels: Iterable[str]) -> float:
    """Mean over the kinds of `average_precision`, 0..1."""
    return float(np.mean([average_precision(examples, label) for label in labels]))


def average_precision(examples: Sequence[Example], label: str) -> float:
    """Area under the curve of the best precision at each recall or a greater one, 0..1 (PASCAL VOC since 2010).

    Args:
        examples: Every picture; detections of even the least confidence belong in it.
        label: Kind of thing.

    Raises:
        ValueError: Nothing of that kind is to be found.
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
    """Confidence of each detection and whether it is right; those of things that do not count are left out."""
    for detection, target in matches(detections, targets, label):
        if target is None or target.counts:
            yield detection.confidence, target is not None


def matches(
    detections: Sequence[Detection], targets: Sequence[Target], label: str
) -> Iterable[tuple[Detection, Target | None]]:
    """Gives every detection, best first, the target it overlaps most of those that are left, or None."""
    left = [target for target in targets if target.label == label]
    for detection in sorted(detections, key=lambda one: -one.confidence):
        if detection.label != label:
            continue
        close = [target for target in left if detection.box.overlap(target.box) >= OVERLAP]
        # What counts comes first: next to something half hidden it must not go without.
        found = max(close, key=lambda target: (target.counts, detection.box.overlap(target.box)), default=None)
        if found is not None:
            left.remove(found)
        yield detection, found
