"""Random batches of labeled windows, which are crops of frames."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from training.desk_detector.frames import Labels
from training.desk_detector.label import MIN_INSIDE, MIN_PIXELS, MIN_UNCOVERED

Array = NDArray[np.float64]


class Batch(NamedTuple):
    """Batch of images and targets for `loss.detection_loss`.

    Attributes:
        images: Images, 0..1, shape B x 3 x height x width.
        boxes: Boxes, pixels, shape B x M x 4.
        kinds: Kinds of objects, shape B x M; -1 where there is no object.
        learn: Whether each object must be found, shape B x M.
    """

    images: Tensor
    boxes: Tensor
    kinds: Tensor
    learn: Tensor


class Windows(NamedTuple):
    """Windows (crops) of frames. The coordinates of a frame range from -1 to 1 between its edges.

    Attributes:
        reach: Half width and half height, shape B x 2; a negative width mirrors the window.
        middle: Centers of the windows, shape B x 2.
    """

    reach: Array
    middle: Array


def batch(
    rng: np.random.Generator, images: NDArray[np.uint8], labels: Labels, size: int, width: int, height: int
) -> Batch:
    """Selects random frames, and crops, zooms, mirrors and tints them.

    Args:
        rng: Random generator, which determines the complete batch.
        images: Frames, shape N x height x width x 3.
        labels: Labels, shape N x M x fields of `Label`.
        size: Number of windows in the batch.
        width: Width of a window, pixels. Most of a frame is empty, so training is faster with small windows.
        height: Height of a window, pixels.
    """
    chosen = rng.integers(len(images), size=size)
    frame = np.array([images.shape[2], images.shape[1]])
    taken = _windows(rng, labels[chosen], frame, np.array([width, height]))
    pictures = torch.from_numpy(images[chosen]).permute(0, 3, 1, 2).float().div_(255.0)
    gains = rng.uniform(0.85, 1.15, (size, 3, 1, 1)).astype(np.float32)
    pictures = (_cut(pictures, taken, width, height) * torch.from_numpy(gains)).clamp_(0.0, 1.0)
    return Batch(pictures, *_labels(labels[chosen], taken, frame, np.array([width, height])))


def _windows(rng: np.random.Generator, labels: Labels, frame: NDArray[np.int64], size: NDArray[np.int64]) -> Windows:
    """Draws random windows within their frames. Most windows contain an object at a random position."""
    zoom = np.where(rng.random(len(labels)) < 0.4, 1.0, rng.uniform(0.8, 1.35, len(labels)))
    reach = np.minimum(1.0, size / frame / zoom[:, None])
    middle = rng.uniform(-1.0, 1.0, (len(labels), 2))
    for row, objects in enumerate(labels):
        objects = objects[objects[:, 0] >= 0]
        if len(objects) and rng.random() < 0.85:
            box = objects[rng.integers(len(objects)), 1:5]
            middle[row] = (box[:2] + box[2:]) / frame - 1.0 + rng.uniform(-1.0, 1.0, 2) * reach[row]
    middle = np.clip(middle, reach - 1.0, 1.0 - reach)
    reach[:, 0] *= np.where(rng.random(len(labels)) < 0.5, 1.0, -1.0)
    return Windows(reach, middle)


def _cut(pictures: Tensor, windows: Windows, width: int, height: int) -> Tensor:
    transform = np.zeros((len(windows.reach), 2, 3), np.float32)
    transform[:, 0, 0], transform[:, 1, 1] = windows.reach.T
    transform[:, :, 2] = windows.middle
    grid = functional.affine_grid(torch.from_numpy(transform), [*pictures.shape[:2], height, width], False)
    return functional.grid_sample(pictures, grid, padding_mode="border", align_corners=False)


def _labels(
    labels: Labels, windows: Windows, frame: NDArray[np.int64], size: NDArray[np.int64]
) -> tuple[Tensor, Tensor, Tensor]:
    corners = labels[:, :, 1:5].reshape(*labels.shape[:2], 2, 2) * 2.0 / frame - 1.0
    corners = np.sort((corners - windows.middle[:, None, None]) / windows.reach[:, None, None], axis=2)
    clipped = np.clip(corners, -1.0, 1.0)
    left = _area(clipped) / np.maximum(1e-9, _area(corners))  # share of the box within the window
    kinds = np.where((labels[:, :, 0] >= 0) & (left > 0.0), labels[:, :, 0], -1).astype(np.int64)
    zoomed = np.abs(size / frame / windows.reach).prod(axis=1)[:, None]
    enough = labels[:, :, 7] * left * zoomed >= MIN_PIXELS
    learn = (kinds >= 0) & enough & (labels[:, :, 5] >= MIN_UNCOVERED) & (labels[:, :, 6] * left >= MIN_INSIDE)
    boxes = ((clipped + 1.0) * size / 2.0).reshape(*labels.shape[:2], 4).astype(np.float32)
    return torch.from_numpy(boxes), torch.from_numpy(kinds), torch.from_numpy(learn)


def _area(corners: Array) -> Array:
    return np.asarray((corners[:, :, 1] - corners[:, :, 0]).prod(axis=2))
