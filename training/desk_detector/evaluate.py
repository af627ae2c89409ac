"""Scores the installed detector on shards of frames.

Run from the repository: `python -m training.desk_detector.evaluate FRAMES`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reachy_agent_ros.seeing.desk_detector import DeskDetector
from reachy_agent_ros.seeing.detection import Box, Detection
from training.desk_detector.frames import read_shards
from training.desk_detector.label import MIN_PIXELS, Label
from training.desk_detector.scene import KINDS

_EVERY_CONFIDENCE = 0.05
_RECALLS = np.linspace(0.0, 1.0, 101)  # as COCO's


def average_precision(
    found: Sequence[Sequence[Detection]], labels: Sequence[Sequence[Label]], kind: str, visible: float, overlap: float
) -> float:
    """Mean precision, 0..1, over 101 recalls.

    Args:
        found: Detections of every frame, at every confidence.
        labels: What is in every frame.
        kind: One of `KINDS`.
        visible: Objects of which a smaller share, 0..1, is seen count neither as found nor as missed.
        overlap: That makes a detection right, 0..1.
    """
    verdicts: list[tuple[float, bool]] = []
    wanted = 0
    for detections, objects in zip(found, labels, strict=True):
        of_kind = [label for label in objects if KINDS[int(label.kind)] == kind]
        wanted += sum(_counts(label, visible) for label in of_kind)
        verdicts += _verdicts([d for d in detections if d.label == kind], of_kind, visible, overlap)
    verdicts.sort(key=lambda verdict: -verdict[0])
    right = np.cumsum([hit for _, hit in verdicts])
    precision = right / np.arange(1, len(right) + 1)
    recall = right / max(1, wanted)
    return float(np.mean([precision[recall >= level].max(initial=0.0) for level in _RECALLS]))


def _verdicts(
    detections: Sequence[Detection], labels: Sequence[Label], visible: float, overlap: float
) -> list[tuple[float, bool]]:
    """Confidence of every detection and whether it is right, without those of objects that do not count."""
    free = list(labels)
    verdicts = []
    for detection in sorted(detections, key=lambda d: -d.confidence):
        fits = {label: detection.box.overlap(_box(label)) for label in free}
        fitting = [label for label in free if fits[label] >= overlap]
        best = max(fitting, key=lambda label: (_counts(label, visible), fits[label]), default=None)
        if best is not None:
            free.remove(best)
        if best is None or _counts(best, visible):
            verdicts.append((detection.confidence, best is not None))
    return verdicts


def _counts(label: Label, visible: float) -> bool:
    return label.visible >= visible and label.pixels >= MIN_PIXELS


def _box(label: Label) -> Box:
    return Box(label.x0, label.y0, label.x1, label.y1)


def main() -> None:
    """Prints the mean average precision at two shares of visibility, and the time a frame takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("frames", type=Path, help="folder of shards that were not trained on")
    arguments = parser.parse_args()
    images, rows = read_shards(sorted(arguments.frames.glob("[0-9][0-9][0-9][0-9].npz")))
    labels = [[Label(*row) for row in frame.tolist() if row[0] >= 0] for frame in rows]
    detector = DeskDetector(_EVERY_CONFIDENCE)
    began = time.process_time()
    found = [detector.detect(image) for image in images]
    spent = (time.process_time() - began) / len(images)
    for visible in (0.6, 0.25):
        for overlap in (0.5, 0.75):
            each = {kind: average_precision(found, labels, kind, visible, overlap) for kind in KINDS}
            listed = ", ".join(f"{kind} {value:.3f}" for kind, value in each.items())
            print(f"visible >= {visible}, overlap >= {overlap}: {np.mean(list(each.values())):.3f} ({listed})")
    print(f"{spent * 1000:.1f} ms of CPU a frame, {len(images)} frames")


if __name__ == "__main__":
    main()
