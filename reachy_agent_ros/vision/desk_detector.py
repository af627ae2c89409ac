"""Built-in detector for objects on the simulated desk: a small network, trained on frames that MuJoCo has labeled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.onnx_session import ERROR, onnx_session
from reachy_agent_ros.core.weights import PackagedWeights
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import BoundingBox, Detection, strongest
from reachy_agent_ros.vision.letterbox import Letterbox

LABELS = ("apple", "croissant", "duck")
"""Labels in the order of the network's outputs."""

STRIDE = 8
"""Distance between two output cells of the network, input pixels."""

_WIDTH, _HEIGHT = 320, 240  # of the network's input, pixels

_FILE = "desk_detector.onnx"

WEIGHTS = PackagedWeights(
    "reachy_agent_ros",
    "vision/weights",
    {_FILE: "04daf73ba1422e66c35d80c07968bf228c7632c8f442162ad3b77f8bc85cf0b1"},
)
"""Weights trained by `training/desk_detector`."""

_SAME = 0.55
"""Overlap above which two boxes with the same label are the same object, 0 to 1. Boxes of touching objects overlap
less."""


class DeskDetector:
    """Object detector for apples, croissants and ducks.

    Args:
        least_confidence: Minimum confidence, 0 to 1. The default yields few false boxes; to measure the precision at
            every recall, use 0.05.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the weights are missing or do not match the pinned checksums.
    """

    name = "desk"
    labels: Sequence[str] = LABELS

    def __init__(self, least_confidence: float = 0.4) -> None:
        self._least_confidence = least_confidence
        self._session = onnx_session(str(WEIGHTS.verified() / _FILE), log_severity=ERROR)

    def detect(self, image: Image) -> list[Detection]:
        """Finds the objects in an image of any size, best first.

        Raises:
            AgentError: `INVALID_GOAL` if the image is not an RGB image of bytes.
        """
        _check(image)
        letterbox = Letterbox(image.shape[1], image.shape[0], _WIDTH, _HEIGHT)
        quality, distances = self._session.run(None, {"image": letterbox.apply(image)[None]})
        claims = decode(quality[0], distances[0], self._least_confidence)
        found = [Detection(one.label, one.confidence, letterbox.undo(one.box)) for one in claims]
        return strongest([one for one in found if one.box.area > 0.0], _SAME)


def decode(quality: NDArray[np.float32], distances: NDArray[np.float32], minimum: float) -> list[Detection]:
    """Decodes the network's output into detections. Boxes are in pixels of the network's input.

    Args:
        quality: Quality of the best box at each cell, 0 to 1, kinds x rows x columns.
        distances: Distances from a cell's center to the box's left, upper, right and lower side, pixels, 4 x rows x
            columns.
        minimum: Minimum quality of a detection.
    """
    kinds, rows, columns = np.nonzero(quality >= minimum)
    confidences = quality[kinds, rows, columns]
    left, up, right, down = distances[:, rows, columns]
    x, y = (columns + 0.5) * STRIDE, (rows + 0.5) * STRIDE
    boxes = np.stack((x - left, y - up, x + right, y + down), axis=1)
    claims = zip(kinds.tolist(), confidences.tolist(), boxes.tolist(), strict=True)
    return [Detection(LABELS[kind], confidence, BoundingBox(*box)) for kind, confidence, box in claims]


def _check(image: Image) -> None:
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        shape = " x ".join(map(str, image.shape))
        message = f"Invalid image of {shape} {image.dtype}: expected height x width x 3 bytes, red, green and blue."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
