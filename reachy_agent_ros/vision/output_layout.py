"""How detection networks write down what they found."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode

Array = NDArray[np.float32]

MOST_FINAL_ROWS = 1000
"""Rows that a network which suppresses doubles itself may have; those that do not have many more."""


class Candidates(NamedTuple):
    """What a network found, a row each."""

    boxes: Array
    """N x 4: x0, y0, x1, y1, pixels of the network's input."""

    scores: Array
    """N: confidence, 0..1."""

    kinds: NDArray[np.int64]
    """N: number of the kind."""


class OutputLayout(Enum):
    """The forms that are understood, C being the number of kinds. Boxes count in pixels of the network's input."""

    COLUMNS = "[1, 4+C, N]: middle x, middle y, width, height, a score per kind (YOLOv8, YOLO11)"
    ROWS = "[1, N, 5+C]: middle x, middle y, width, height, objectness, a score per kind (YOLOv5, YOLOv7)"
    FINAL = "[N, 6] or [1, N, 6]: x0, y0, x1, y1, score, kind (YOLOv10, exports with suppression inside)"

    def read(self, output: Array, least_score: float) -> Candidates:
        """Reads one output.

        Args:
            output: What the network gave for one picture.
            least_score: Candidates below it are left out.
        """
        rows = output.reshape(output.shape[-2:])
        if self is OutputLayout.FINAL:
            boxes, scores, kinds = rows[:, :4], rows[:, 4], rows[:, 5].astype(np.int64)
        else:
            table = rows.T if self is OutputLayout.COLUMNS else rows
            of_kinds = table[:, 4:] if self is OutputLayout.COLUMNS else table[:, 4:5] * table[:, 5:]
            boxes, scores, kinds = _corners(table[:, :4]), of_kinds.max(axis=1), of_kinds.argmax(axis=1)
        good = (scores >= least_score) & np.isfinite(boxes).all(axis=1)
        return Candidates(boxes[good], scores[good], kinds[good])


def layout_of(shape: tuple[int, ...], kinds: int) -> OutputLayout:
    """Which layout an output has.

    With one kind, six columns may be either of two layouts: up to `MOST_FINAL_ROWS` rows they are taken for `FINAL`.

    Args:
        shape: Of the output for one picture.
        kinds: How many the network knows.

    Raises:
        AgentError: `DETECTOR_UNAVAILABLE`, naming what is understood.
    """
    if len(shape) == 2 or (len(shape) == 3 and shape[0] == 1):
        rows, columns = shape[-2:]
        if columns == 6 and (kinds != 1 or rows <= MOST_FINAL_ROWS):
            return OutputLayout.FINAL
        if columns == 5 + kinds and len(shape) == 3:
            return OutputLayout.ROWS
        if rows == 4 + kinds and len(shape) == 3:
            return OutputLayout.COLUMNS
    understood = "; ".join(layout.value for layout in OutputLayout)
    message = f"an output of shape {list(shape)} with {kinds} labels is none of the layouts understood: {understood}"
    raise AgentError(ErrorCode.DETECTOR_UNAVAILABLE, message)


def _corners(boxes: Array) -> Array:
    middle, half = boxes[:, :2], boxes[:, 2:] / 2.0
    return np.concatenate([middle - half, middle + half], axis=1)
