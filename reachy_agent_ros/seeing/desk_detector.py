"""The built-in detector of the simulated desk: a small network of ours, trained on frames that MuJoCo labelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from PIL import Image as PillowImage

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.weights import PackagedWeights
from reachy_agent_ros.seeing.camera import Image
from reachy_agent_ros.seeing.detection import Box, Detection

LABELS = ("apple", "croissant", "duck")
"""In the order of the network's outputs."""

STRIDE = 8
"""Pixels of the network's picture from one cell of its output to the next."""

_WIDTH, _HEIGHT = 320, 240  # of the network's picture, pixels

_FILE = "desk_detector.onnx"

_WEIGHTS = PackagedWeights(
    "reachy_agent_ros",
    "seeing/weights",
    {_FILE: "ae4dd6b8c520fe9979f6b24e906888ca7f75df3d4473f5f2ec4aaf600e19e59a"},
)

_SAME = 0.55
"""Overlap, 0..1, above which two boxes of a kind are one object: two that touch overlap less."""

_ERRORS_ONLY = 3


class DeskDetector:
    """Finds apples, croissants and ducks.

    Args:
        minimum_confidence: Of what is reported, 0..1. The default gives few false boxes; to measure the precision at
            every recall, take 0.05.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` where the weights are missing or others than the pinned ones.
    """

    name = "desk"
    labels: Sequence[str] = LABELS

    def __init__(self, minimum_confidence: float = 0.4) -> None:
        self._minimum = minimum_confidence
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # else it takes every core and starves the motion loop
        options.log_severity_level = _ERRORS_ONLY
        path = _WEIGHTS.verified() / _FILE
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def detect(self, image: Image) -> list[Detection]:
        """Finds what is in a picture of any size, best first.

        Raises:
            AgentError: `INVALID_GOAL` where it is no RGB picture of bytes.
        """
        _check(image)
        fitted = Letterbox.around(image.shape[1], image.shape[0])
        quality, distances = self._session.run(None, {"image": fitted.apply(image)[None]})
        candidates = decode(quality[0], distances[0], self._minimum)
        inside = [Detection(d.label, d.confidence, fitted.undo(d.box)) for d in suppress(candidates)]
        return [d for d in inside if d.box.area > 0.0]


class Letterbox(NamedTuple):
    """How a picture is scaled into the network's, with black bars where the proportions differ.

    Attributes:
        scale: Pixels of the network's picture for one of the camera's.
        left: Width of the left bar, pixels of the network's picture.
        top: Height of the upper bar, pixels of the network's picture.
        width: Of the camera's picture, pixels.
        height: Of the camera's picture, pixels.
    """

    scale: float
    left: int
    top: int
    width: int
    height: int

    @classmethod
    def around(cls, width: int, height: int) -> Letterbox:
        """For pictures of this size, pixels."""
        scale = min(_WIDTH / width, _HEIGHT / height)
        left, top = round((_WIDTH - scale * width) / 2.0), round((_HEIGHT - scale * height) / 2.0)
        return cls(scale, left, top, width, height)

    def apply(self, image: Image) -> Image:
        """The picture as the network takes it."""
        if (self.width, self.height) == (_WIDTH, _HEIGHT):
            return image
        size = max(1, round(self.scale * self.width)), max(1, round(self.scale * self.height))
        scaled = PillowImage.fromarray(image).resize(size, PillowImage.Resampling.BILINEAR)
        fitted = np.zeros((_HEIGHT, _WIDTH, 3), np.uint8)
        fitted[self.top : self.top + size[1], self.left : self.left + size[0]] = np.asarray(scaled)
        return fitted

    def undo(self, box: Box) -> Box:
        """A box of the network's picture in the camera's, without what lies outside that."""
        x0, x1 = (min(max((x - self.left) / self.scale, 0.0), float(self.width)) for x in (box.x0, box.x1))
        y0, y1 = (min(max((y - self.top) / self.scale, 0.0), float(self.height)) for y in (box.y0, box.y1))
        return Box(x0, y0, x1, y1)


def decode(quality: NDArray[np.float32], distances: NDArray[np.float32], minimum: float) -> list[Detection]:
    """What every cell of the network's output claims to see, best first; boxes in pixels of the network's picture.

    Args:
        quality: Of the best box at a cell, 0..1, kinds x rows x columns.
        distances: From a cell's centre to the box's left, upper, right and lower side, 4 x rows x columns, pixels.
        minimum: Quality below which a claim does not count.
    """
    kinds, rows, columns = np.nonzero(quality >= minimum)
    confidences = quality[kinds, rows, columns]
    left, up, right, down = distances[:, rows, columns]
    x, y = (columns + 0.5) * STRIDE, (rows + 0.5) * STRIDE
    boxes = np.stack((x - left, y - up, x + right, y + down), axis=1)
    order = np.argsort(-confidences, kind="stable")
    return [Detection(LABELS[kinds[n]], float(confidences[n]), Box(*boxes[n].tolist())) for n in order]


def suppress(candidates: Sequence[Detection]) -> list[Detection]:
    """Keeps of each object the best of its boxes: greedy non-maximum suppression. Candidates come best first."""
    kept: list[Detection] = []
    for candidate in candidates:
        rivals = (other for other in kept if other.label == candidate.label)
        if all(candidate.box.overlap(other.box) <= _SAME for other in rivals):
            kept.append(candidate)
    return kept


def _check(image: Image) -> None:
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        shape = " x ".join(map(str, image.shape))
        message = f"A picture is height x width x 3 bytes, red, green and blue; this one is {shape} of {image.dtype}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
