"""Detector that runs a custom ONNX network with one of the usual output layouts."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.onnx_session import FATAL, ONNX_ERRORS, onnx_session
from reachy_agent_ros.core.weights import check_sum_beside
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import BoundingBox, Detection, strongest
from reachy_agent_ros.vision.letterbox import Letterbox

_Array = NDArray[np.float32]

OPEN_SIZE = 640
"""Width and height of the input for a network that does not fix them, pixels."""

_MOST_FINAL_ROWS = 1000
"""Maximum number of output rows of a network with built-in suppression; other networks have many more."""


class OnnxDetector:
    """Object detector that runs a custom ONNX network in one CPU thread.

    The input is one float32 image [1, 3, height, width], RGB from 0 to 1; the first output has one of the layouts of
    `_OutputLayout`. The labels are the lines of a text file with the same name (`desk.onnx`, `desk.txt`) or, without
    one, the `names` that Ultralytics writes into the network. If there is a `desk.onnx.sha256` in the format of
    `sha256sum`, the network must match it.

    Args:
        path: Path of the ONNX file.
        least_confidence: Minimum confidence of a detection, 0 to 1.

    Raises:
        AgentError: `DETECTOR_UNAVAILABLE` if the network or its labels are missing or not supported;
            `MODEL_UNAVAILABLE` if the file does not match its checksum, or the checksum cannot be read.
    """

    def __init__(self, path: Path, least_confidence: float = 0.35) -> None:
        self._path = path
        self._least_confidence = least_confidence
        self._session = _session(path)
        try:
            self._labels = _labels(path, self._session)
            self._input = self._session.get_inputs()[0].name
            self._width, self._height = self._input_size()
        except UnicodeDecodeError as error:
            raise _refused(path, f"a name in it is not valid text: {error}") from error
        blank = np.zeros((self._height, self._width, 3), np.uint8)
        try:
            self._layout = _layout_of(self._run(blank).shape, len(self._labels))
        except AgentError as error:
            raise _refused(path, error.message) from error

    @property
    def name(self) -> str:
        """Name of the detector, in the form `onnx:FILE`."""
        return f"onnx:{self._path.name}"

    @property
    def labels(self) -> Sequence[str]:
        """Labels of the network's classes."""
        return self._labels

    def detect(self, image: Image) -> list[Detection]:
        """Finds the objects in an image of any size, best first.

        Raises:
            AgentError: `DETECTOR_UNAVAILABLE` if the network failed.
        """
        height, width = image.shape[:2]
        letterbox = Letterbox(width, height, self._width, self._height)
        found = self._layout.read(self._run(letterbox.apply(image)), self._least_confidence)
        return strongest(self._detections(found, letterbox))

    def _detections(self, found: _Candidates, letterbox: Letterbox) -> list[Detection]:
        rows = zip(found.boxes, found.scores, found.kinds, strict=True)
        known = [(box, score, kind) for box, score, kind in rows if 0 <= kind < len(self._labels)]
        detections = [
            Detection(self._labels[kind], min(float(score), 1.0), letterbox.undo(BoundingBox(*box)))
            for box, score, kind in known
        ]
        return [detection for detection in detections if detection.box.area > 0.0]

    def _run(self, image: Image) -> _Array:
        planes = np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32) / np.float32(255.0)
        try:
            return np.asarray(self._session.run(None, {self._input: planes})[0], np.float32)
        except ONNX_ERRORS as error:
            raise _refused(self._path, f"it failed: {_first_line(error)}") from error

    def _input_size(self) -> tuple[int, int]:
        """Returns the width and height (pixels) of the network's input."""
        inputs = self._session.get_inputs()
        shape, kind = inputs[0].shape, inputs[0].type
        if len(inputs) != 1 or kind != "tensor(float)" or len(shape) != 4 or shape[1] != 3:
            message = f"its input is {kind} {shape} instead of one tensor(float) [1, 3, height, width]"
            raise _refused(self._path, message)
        height, width = (side if isinstance(side, int) else OPEN_SIZE for side in shape[2:])
        return width, height


class _Candidates(NamedTuple):
    """Candidates for detections from a network, one per row."""

    boxes: _Array
    """Corners x0, y0, x1, y1 in pixels of the network's input, shape (N, 4)."""

    scores: _Array
    """Confidence, 0 to 1, shape (N,)."""

    kinds: NDArray[np.int64]
    """Index of the label, shape (N,)."""


class _OutputLayout(Enum):
    """Supported layouts of the network's output, for C labels. Boxes are in pixels of the network's input."""

    COLUMNS = "[1, 4+C, N]: middle x, middle y, width, height, a score per kind (YOLOv8, YOLO11)"
    ROWS = "[1, N, 5+C]: middle x, middle y, width, height, objectness, a score per kind (YOLOv5, YOLOv7)"
    FINAL = "[N, 6] or [1, N, 6]: x0, y0, x1, y1, score, kind (YOLOv10, exports with suppression inside)"

    def read(self, output: _Array, least_score: float) -> _Candidates:
        """Extracts the candidates from an output.

        Args:
            output: Output of the network for one image.
            least_score: Minimum score of a candidate.
        """
        rows = output.reshape(output.shape[-2:])
        if self is _OutputLayout.FINAL:
            boxes, scores, kinds = rows[:, :4], rows[:, 4], rows[:, 5].astype(np.int64)
        else:
            table = rows.T if self is _OutputLayout.COLUMNS else rows
            of_kinds = table[:, 4:] if self is _OutputLayout.COLUMNS else table[:, 4:5] * table[:, 5:]
            boxes, scores, kinds = _corners(table[:, :4]), of_kinds.max(axis=1), of_kinds.argmax(axis=1)
        good = (scores >= least_score) & np.isfinite(boxes).all(axis=1)
        return _Candidates(boxes[good], scores[good], kinds[good])


def _layout_of(shape: tuple[int, ...], kinds: int) -> _OutputLayout:
    """Determines the layout of a network's output.

    With one label, six columns fit two layouts: an output with at most `_MOST_FINAL_ROWS` rows counts as `FINAL`.

    Args:
        shape: Shape of the output for one image.
        kinds: Number of labels of the network.

    Raises:
        AgentError: `DETECTOR_UNAVAILABLE`, with the supported layouts.
    """
    if len(shape) == 2 or (len(shape) == 3 and shape[0] == 1):
        rows, columns = shape[-2:]
        if columns == 6 and (kinds != 1 or rows <= _MOST_FINAL_ROWS):
            return _OutputLayout.FINAL
        if columns == 5 + kinds and len(shape) == 3:
            return _OutputLayout.ROWS
        if rows == 4 + kinds and len(shape) == 3:
            return _OutputLayout.COLUMNS
    understood = "; ".join(layout.value for layout in _OutputLayout)
    message = f"its output of shape {list(shape)} with {kinds} labels has none of the supported layouts: {understood}"
    raise AgentError(ErrorCode.DETECTOR_UNAVAILABLE, message)


def _corners(boxes: _Array) -> _Array:
    middle, half = boxes[:, :2], boxes[:, 2:] / 2.0
    return np.concatenate([middle - half, middle + half], axis=1)


def _session(path: Path) -> InferenceSession:
    check_sum_beside(path)
    try:
        return onnx_session(path.read_bytes(), log_severity=FATAL)  # errors are raised
    except OSError as error:
        raise _refused(path, f"it cannot be read: {error.strerror}") from error
    except ONNX_ERRORS as error:
        raise _refused(path, f"it is not a valid ONNX network: {_first_line(error)}") from error


def _labels(path: Path, session: InferenceSession) -> tuple[str, ...]:
    beside = path.with_suffix(".txt")
    written = session.get_modelmeta().custom_metadata_map.get("names", "")
    try:
        if beside.exists():
            return tuple(line.strip() for line in beside.read_text(encoding="utf-8").splitlines() if line.strip())
        names = ast.literal_eval(written) if written else {}
        if names and set(names) == set(range(len(names))):
            return tuple(str(names[number]) for number in range(len(names)))
    except (OSError, UnicodeDecodeError, ValueError, SyntaxError, TypeError) as error:
        raise _refused(path, f"its labels cannot be read: {error}") from error
    raise _refused(path, f"it contains no labels: write {beside} with one label per line")


def _refused(path: Path, reason: str) -> AgentError:
    return AgentError(ErrorCode.DETECTOR_UNAVAILABLE, f"Cannot use the network {path}: {reason}.")


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:300]
