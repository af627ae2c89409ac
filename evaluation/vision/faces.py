"""Face detector: missed faces, false detections, and CPU time.

Run `scripts/evaluate faces`. It takes 30 s. Prints of two photographs are placed in front of rendered desks: plain, in
the dark with a noisy sensor, and rolled.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import numpy as np
from PIL import Image as PillowImage

from bench.report import Figure, print_report
from evaluation.vision.photographs import Portrait, pictures_without_faces, portraits
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import BoundingBox
from reachy_agent_ros.vision.face_detector import FaceDetector
from reachy_agent_ros.vision.scene_camera import SceneCamera

WIDTH, HEIGHT = 320, 240
SIZES = (18, 22, 26, 40, 70, 110)  # height of the face, pixels
LEAST = 26  # the height from which faces must be found
PER_SIZE = 80
DESKS = 80
CROPS = 20
OVERLAP = 0.5  # intersection over union from which a face is found
MOST_MISSED = 10.0  # %
MOST_GHOSTS = 1.0  # in 100 images
SEED = 2026


def main(as_json: bool) -> int:
    """Measures the face detector. Always returns exit code 0."""
    print_report("faces", list(figures()), as_json)
    return 0


def figures() -> Iterator[Figure]:
    """Measures all figures of the face detector."""
    rng = np.random.default_rng(SEED)
    detector = FaceDetector()
    desks = _desks(rng)
    for size in SIZES:
        frames = [_frame(desks[n % DESKS], n, size, rng) for n in range(PER_SIZE)]
        missed = 100.0 * statistics.mean(not _found(detector, image, face) for image, face in frames)
        yield Figure(f"faces missed, {size} px high", missed, "%", MOST_MISSED if size >= LEAST else None)
    empty = [*desks, *_crops(rng)]
    ghosts = sum(len(detector.detect(image)) for image in empty)
    yield Figure("false boxes in 100 pictures without a face", 100.0 * ghosts / len(empty), "", MOST_GHOSTS)
    yield Figure("CPU a picture, 320x240, median", _cpu_time(detector, desks), "ms")
    yield Figure("CPU a picture, 640x480, median", _cpu_time(detector, [np.kron(d, _TWICE) for d in desks]), "ms")


_TWICE = np.ones((2, 2, 1), np.uint8)


def _desks(rng: np.random.Generator) -> list[Image]:
    """Returns images of the table from different head poses."""
    eye = SceneCamera("minimal", WIDTH, HEIGHT)
    views = [
        head_transform(rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.5), rng.uniform(-1.0, 1.0)) for _ in range(DESKS)
    ]
    pictures = [eye.capture(view, {}) for view in views]
    eye.close()
    return pictures


def _crops(rng: np.random.Generator) -> list[Image]:
    """Returns parts of photographs that contain no face."""
    photographs = pictures_without_faces()
    crops = []
    for number in range(CROPS):
        photograph = PillowImage.fromarray(photographs[number % len(photographs)])
        share = rng.uniform(0.4, 0.9)
        width, height = share * photograph.width, share * photograph.height
        left, top = rng.uniform(0, photograph.width - width), rng.uniform(0, photograph.height - height)
        crops.append(np.asarray(photograph.resize((WIDTH, HEIGHT), box=(left, top, left + width, top + height))))
    return crops


def _frame(desk: Image, number: int, size: int, rng: np.random.Generator) -> tuple[Image, BoundingBox]:
    """Returns an image of a face in front of a desk, and the box of the face.

    `number` selects the person and the kind of image.
    """
    portrait: Portrait = portraits()[number % 2]
    if number // 2 % 2:
        portrait = portrait.mirrored()
    center = rng.uniform(size, WIDTH - size), rng.uniform(size, HEIGHT - size)
    roll = (0.0, 0.0, rng.uniform(-18.0, 18.0), 18.0 * rng.choice([-1, 1]))[number // 4 % 4]
    image, face = portrait.held_before(desk, size, center, roll)
    if number // 4 % 4 in (1, 3):
        image = np.clip(0.35 * image + rng.normal(0.0, 6.0, image.shape), 0, 255).astype(np.uint8)
    return image, face


def _found(detector: FaceDetector, image: Image, face: BoundingBox) -> bool:
    return any(found.box.overlap(face) >= OVERLAP for found in detector.detect(image))


def _cpu_time(detector: FaceDetector, images: list[Image]) -> float:
    """Returns the median CPU time (ms) per image, including the time for scaling and decoding."""
    times = []
    for image in images:
        started = time.process_time()
        detector.detect(image)
        times.append(1e3 * (time.process_time() - started))
    return statistics.median(times)
