"""Renders labeled frames into shards. Existing shards are kept.

Run from the repository: `python -m training.desk_detector.frames FOLDER --shards 0:16`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.vision.camera import Image
from training.desk_detector.label import Label
from training.desk_detector.random_scene import random_scene
from training.desk_detector.scene_renderer import SceneRenderer
from training.desk_detector.sensor import through_sensor

WIDTH, HEIGHT = 320, 240
SHARD = 500
"""Number of frames in a shard."""

MAX_LABELS = 6
"""Maximum number of labels in a frame: two of every kind."""

Labels = NDArray[np.float32]
"""Labels, shape frames x `MAX_LABELS` x fields of `Label`. Unused rows have the kind -1."""


def frames(seeds: Iterator[int] | range) -> Iterator[tuple[Image, list[Label]]]:
    """Renders one labeled frame for every seed."""
    renderer = SceneRenderer(WIDTH, HEIGHT)
    shapes = renderer.shapes()
    for seed in seeds:
        rng = np.random.default_rng(seed)
        image, labels = renderer.render(random_scene(rng, shapes))
        yield through_sensor(rng, image), labels
    renderer.close()


def write_shard(folder: Path, number: int, size: int = SHARD) -> Path:
    """Renders shard `number` into `folder` unless it exists. Returns its path."""
    path = folder / f"{number:04d}.npz"
    if path.exists():
        return path
    images = np.empty((size, HEIGHT, WIDTH, 3), np.uint8)
    labels = np.full((size, MAX_LABELS, len(Label._fields)), -1, np.float32)
    for index, (image, found) in enumerate(frames(range(number * SHARD, number * SHARD + size))):
        images[index] = image
        if found:
            labels[index, : len(found)] = found
    unfinished = path.with_suffix(".part.npz")
    np.savez(unfinished, images=images, labels=labels)
    return unfinished.rename(path)


def read_shards(paths: list[Path]) -> tuple[NDArray[np.uint8], Labels]:
    """Reads the images (shape N x height x width x 3) and the labels from shards."""
    shards = [np.load(path) for path in paths]
    return np.concatenate([s["images"] for s in shards]), np.concatenate([s["labels"] for s in shards])


def main() -> None:
    """Renders the shards that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", default="0:16", help="FIRST:END, END not included")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    first, end = map(int, arguments.shards.split(":"))
    for number in range(first, end):
        print(write_shard(arguments.folder, number), flush=True)


if __name__ == "__main__":
    main()
