"""Small ONNX networks for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def constant_network(
    path: Path,
    output: np.ndarray,
    size: Sequence[int | str] = (240, 320),
    channels: int = 3,
    names: Mapping[int, str] | None = None,
) -> Path:
    """Writes a network with an almost constant output, which depends slightly on the brightness of the input image.

    The mean of the image, 0 to 1, is added to the first number of the output, so that tests can check the input.
    """
    nodes = [
        helper.make_node("ReduceMean", ["images"], ["mean"], keepdims=0),
        helper.make_node("Mul", ["mean", "first"], ["brightness"]),
        helper.make_node("Add", ["fixed", "brightness"], ["output0"]),
    ]
    first = np.zeros(output.shape, np.float32)
    first.flat[0] = 1.0
    constants = [numpy_helper.from_array(output.astype(np.float32), "fixed"), numpy_helper.from_array(first, "first")]
    image = helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, channels, *size])
    result = helper.make_tensor_value_info("output0", TensorProto.FLOAT, output.shape)
    graph = helper.make_graph(nodes, "constant", [image], [result], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    if names is not None:
        helper.set_model_props(model, {"names": str(dict(names))})
    onnx.save(model, str(path))
    return path
