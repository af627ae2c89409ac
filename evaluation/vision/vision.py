"""Built-in detector: average precision, position errors, and CPU time.

Run `scripts/evaluate vision` with nothing else running. It takes about three minutes.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bench.report import Figure, percentile, print_report
from evaluation.vision.average_precision import Example, Target, matches, mean_average_precision
from evaluation.vision.desk_scenes import KINDS, DeskScenes, LabeledFrame, Truth
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.desk_detector import DeskDetector
from reachy_agent_ros.vision.detection import Detection, Detector
from reachy_agent_ros.vision.localiser import Sighting, locate

SEED = 20261121  # of scenes not used in training; changed whenever a detector is selected by these figures
FRAMES = 300
MOSTLY_VISIBLE, PARTLY_VISIBLE = 0.6, 0.25
EVERY_CONFIDENCE = 0.05  # low enough for the whole curve of precision over recall
WITHIN_95_PERCENT = 5.991  # squared Mahalanobis distance in a plane


def main(as_json: bool) -> int:
    """Measures the detector. Always returns exit code 0."""
    print_report("vision", [figure for concern in CONCERNS for figure in concern()], as_json)
    return 0


def objects() -> Iterator[Figure]:
    """Measures the built-in detector on desk scenes. The generator of these scenes is not used in training."""
    scenes = DeskScenes(SEED)
    frames = list(scenes.frames(FRAMES))
    scenes.close()
    yield from precision(frames)
    detector = DeskDetector()
    yield processor_time(frames, detector)
    yield from places(frames, detector, scenes.intrinsics)


def precision(frames: Sequence[LabeledFrame]) -> Iterator[Figure]:
    """Measures the average precision of the boxes."""
    detector = DeskDetector(EVERY_CONFIDENCE)
    found = [detector.detect(frame.image) for frame in frames]
    for least, bar, words in ((MOSTLY_VISIBLE, 95.0, "60 %"), (PARTLY_VISIBLE, 90.0, "25 %")):
        examples: list[Example] = [
            (detections, [Target(truth.label, truth.box, truth.visible >= least) for truth in frame.truths])
            for detections, frame in zip(found, frames, strict=True)
        ]
        name = f"objects at least {words} visible: mAP@0.5"
        yield Figure(name, 100.0 * mean_average_precision(examples, KINDS), "%", bar, at_least=True)
        for kind in KINDS:
            yield Figure(f"{name}, {kind}", 100.0 * mean_average_precision(examples, [kind]), "%")


def processor_time(frames: Sequence[LabeledFrame], detector: Detector) -> Figure:
    """Measures the CPU time to detect the objects in one image."""
    times = []
    for frame in frames:
        started = time.process_time()
        detector.detect(frame.image)
        times.append(1e3 * (time.process_time() - started))
    width, height = frames[0].image.shape[1::-1]
    return Figure(f"objects: CPU time of a {width}x{height} frame, median", statistics.median(times), "ms", 15.0)


class Found(NamedTuple):
    """Detected object with its estimated position and its ground truth."""

    sighting: Sighting
    truth: Truth
    frame: LabeledFrame

    @property
    def turn(self) -> float:
        """Error of the bearing in degrees."""
        true = self.truth.center - self.frame.camera[:3, 3]
        cosine = float(self.sighting.bearing @ true) / float(np.linalg.norm(true))
        return math.degrees(math.acos(min(1.0, cosine)))

    @property
    def offset(self) -> float | None:
        """Horizontal error of the position in centimeters, or None if no position was estimated."""
        if self.sighting.position is None:
            return None
        return 100.0 * math.hypot(*(self.sighting.position - self.truth.center)[:2])

    @property
    def expected(self) -> bool:
        """Whether the position error is within the 95 % ellipse of the covariance."""
        assert self.sighting.position is not None
        assert self.sighting.covariance is not None
        error = (self.sighting.position - self.truth.center)[:2]
        return bool(error @ np.linalg.solve(self.sighting.covariance[:2, :2], error) <= WITHIN_95_PERCENT)


def places(frames: Sequence[LabeledFrame], detector: Detector, intrinsics: Intrinsics) -> Iterator[Figure]:
    """Measures the bearings and positions of objects that are at least a quarter visible, at the default confidence."""
    found = [one for frame in frames for one in _found(frame, detector.detect(frame.image), intrinsics)]
    turns = [one.turn for one in found]
    offsets = [one.offset for one in found if one.offset is not None]
    yield Figure("bearing: error, median", statistics.median(turns), "deg", 1.5)
    yield Figure("bearing: error, p90", percentile(turns, 90), "deg")
    yield Figure("position on the table: error, median", statistics.median(offsets), "cm", 3.0)
    yield Figure("position on the table: error, p90", percentile(offsets, 90), "cm")
    located = [one for one in found if one.offset is not None]
    yield Figure("found things that have a position", 100.0 * len(located) / len(found), "%")
    inside = 100.0 * sum(one.expected for one in located) / len(located)
    yield Figure("positions within the 95 % ellipse of their covariance", inside, "%")


def _found(frame: LabeledFrame, detections: Sequence[Detection], intrinsics: Intrinsics) -> Iterator[Found]:
    truths = [truth for truth in frame.truths if truth.visible >= PARTLY_VISIBLE]
    targets = {Target(truth.label, truth.box): truth for truth in truths}
    for kind in KINDS:
        for detection, target in matches(detections, list(targets), kind):
            if target is not None:
                yield Found(locate(detection, intrinsics, frame.camera), targets[target], frame)


CONCERNS = (objects,)
"""Measurements in order: functions that yield figures."""
