"""Any detection network that a person brings as an ONNX file."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as failures

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.weights import check_sum_beside
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import Box, Detection
from reachy_agent_ros.vision.letterbox import Letterbox
from reachy_agent_ros.vision.output_layout import Array, Candidates, layout_of
from reachy_agent_ros.vision.suppression import strongest

OPEN_SIZE = 640
"""Width and height, pixels, that a network whose input leaves them open is shown."""

_FAILURES = (
    failures.Fail,
    failures.InvalidArgument,
    failures.InvalidGraph,
    failures.InvalidProtobuf,
    failures.NoModel,
    failures.NotImplemented,
    failures.RuntimeException,
    UnicodeDecodeError,
)
"""What onnxruntime raises; the last one where what it complains of is a name that is no text."""


class OnnxDetector:
    """Runs one network on one thread of the processor.

    Its input is one float32 picture [1, 3, height, width], RGB from 0 to 1, its first output one of `OutputLayout`.
    The names of its kinds are the lines of a text file of the same name (`desk.onnx`, `desk.txt`) or, without one, the
    `names` that Ultralytics writes into the file. Where there is a `desk.onnx.sha256` as `sha256sum` writes it, the
    network must be that file.

    Args:
        path: Of the ONNX file.
        least_confidence: Below it a detection is none, 0..1.

    Raises:
        AgentError: `DETECTOR_UNAVAILABLE`, saying what is missing or not understood; `MODEL_UNAVAILABLE` for another
            file than the pinned one, or a sum that cannot be read.
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
            raise _refused(path, f"a name in it is no text: {error}") from error
        blank = np.zeros((self._height, self._width, 3), np.uint8)
        try:
            self._layout = layout_of(self._run(blank).shape, len(self._labels))
        except AgentError as error:
            raise _refused(path, error.message) from error

    @property
    def name(self) -> str:
        """`onnx:` and the file's name."""
        return f"onnx:{self._path.name}"

    @property
    def labels(self) -> Sequence[str]:
        """Kinds that the network knows."""
        return self._labels

    def detect(self, image: Image) -> list[Detection]:
        """Finds what is in a picture of any size, best first.

        Raises:
            AgentError: `DETECTOR_UNAVAILABLE`: the network failed.
        """
        height, width = image.shape[:2]
        letterbox = Letterbox(width, height, self._width, self._height)
        found = self._layout.read(self._run(letterbox.apply(image)), self._least_confidence)
        return strongest(self._detections(found, letterbox))

    def _detections(self, found: Candidates, letterbox: Letterbox) -> list[Detection]:
        rows = zip(found.boxes, found.scores, found.kinds, strict=True)
        known = [(box, score, kind) for box, score, kind in rows if 0 <= kind < len(self._labels)]
        detections = [
            Detection(self._labels[kind], min(float(score), 1.0), letterbox.undo(Box(*box)))
            for box, score, kind in known
        ]
        return [detection for detection in detections if detection.box.area > 0.0]

    def _run(self, image: Image) -> Array:
        planes = np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32) / np.float32(255.0)
        try:
            return np.asarray(self._session.run(None, {self._input: planes})[0], np.float32)
        except _FAILURES as error:
            raise _refused(self._path, f"it failed: {_first_line(error)}") from error

    def _input_size(self) -> tuple[int, int]:
        """Width and height of the picture that the network looks at."""
        inputs = self._session.get_inputs()
        shape, kind = inputs[0].shape, inputs[0].type
        if len(inputs) != 1 or kind != "tensor(float)" or len(shape) != 4 or shape[1] != 3:
            message = f"its input is {kind} {shape}, but only one tensor(float) [1, 3, height, width] is understood"
            raise _refused(self._path, message)
        height, width = (side if isinstance(side, int) else OPEN_SIZE for side in shape[2:])
        return width, height


def _session(path: Path) -> onnxruntime.InferenceSession:
    check_sum_beside(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # else it takes all cores, and the motion loop waits
    options.log_severity_level = 4  # what is wrong is raised
    try:
        return onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except OSError as error:
        raise _refused(path, f"it cannot be read: {error.strerror}") from error
    except _FAILURES as error:
        raise _refused(path, f"it is no ONNX network that can be run: {_first_line(error)}") from error


def _labels(path: Path, session: onnxruntime.InferenceSession) -> tuple[str, ...]:
    beside = path.with_suffix(".txt")
    written = session.get_modelmeta().custom_metadata_map.get("names", "")
    try:
        if beside.exists():
            return tuple(line.strip() for line in beside.read_text(encoding="utf-8").splitlines() if line.strip())
        names = ast.literal_eval(written) if written else {}
        if names and set(names) == set(range(len(names))):
            return tuple(str(names[number]) for number in range(len(names)))
    except (OSError, UnicodeDecodeError, ValueError, SyntaxError, TypeError) as error:
        raise _refused(path, f"the names of its kinds cannot be read: {error}") from error
    raise _refused(path, f"the names of its kinds are not in it, and there is no {beside} with a name in each line")


def _refused(path: Path, reason: str) -> AgentError:
    return AgentError(ErrorCode.DETECTOR_UNAVAILABLE, f"The network {path} cannot be used: {reason}.")


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:300]
