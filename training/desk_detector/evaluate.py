"""Evaluates the installed detector on shards of frames, with the same metric as `evaluation.vision`.

Run from the repository: `python -m training.desk_detector.evaluate FRAMES`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from evaluation.vision.average_precision import Example, Target, average_precision
from reachy_agent_ros.vision.desk_detector import DeskDetector
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from training.desk_detector.frames import read_shards
from training.desk_detector.label import MIN_PIXELS, Label
from training.desk_detector.scene import KINDS

_EVERY_CONFIDENCE = 0.05


def example(found: Sequence[Detection], labels: Sequence[Label], visible: float) -> Example:
    """Creates an evaluation example from a frame.

    Objects with a visible share (0..1) below `visible`, or fewer than `MIN_PIXELS` visible pixels, do not count.
    """
    return found, [
        Target(
            KINDS[int(label.kind)],
            BoundingBox(label.x0, label.y0, label.x1, label.y1),
            label.visible >= visible and label.pixels >= MIN_PIXELS,
        )
        for label in labels
    ]


def main() -> None:
    """Prints the average precision for two minimum visible shares, and the time per frame."""
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
        examples = [example(*frame, visible) for frame in zip(found, labels, strict=True)]
        each = {kind: average_precision(examples, kind) for kind in KINDS}
        listed = ", ".join(f"{kind} {value:.3f}" for kind, value in each.items())
        print(f"visible >= {visible}: mAP@0.5 {sum(each.values()) / len(each):.3f} ({listed})")
    print(f"{spent * 1000:.1f} ms of CPU a frame, {len(images)} frames")


if __name__ == "__main__":
    main()
