"""Target for object detectors (ONNX files) that a user provides."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from fuzz.file_target import FileTarget
from fuzz.mutation.byte_mutation import mutated_bytes
from reachy_agent_ros.vision.onnx_detector import OnnxDetector

_NAMES = "{0: 'apple', 1: 'duck'}"


def networks() -> FileTarget:
    """Returns a target that loads a detector and runs it on a picture."""
    picture = np.zeros((48, 64, 3), np.uint8)
    return FileTarget("net.onnx", [_network()], mutated_bytes, lambda path: OnnxDetector(path).detect(picture))


def _network() -> bytes:
    """Returns a small network with a convolution. It detects nearly the same boxes in every picture."""
    generator = np.random.default_rng(0)
    weights = generator.normal(size=(4, 3, 3, 3)).astype(np.float32)
    boxes = np.array([[[20, 10, 40, 30, 0.9, 0], [1, 1, 5, 5, 0.5, 1]]], np.float32)
    nodes = [
        helper.make_node("Conv", ["images", "weights"], ["features"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["features"], ["positive"]),
        helper.make_node("ReduceMean", ["positive"], ["mean"], keepdims=0),
        helper.make_node("Mul", ["mean", "nothing"], ["brightness"]),
        helper.make_node("Add", ["boxes", "brightness"], ["output0"]),
    ]
    constants = [
        numpy_helper.from_array(weights, "weights"),
        numpy_helper.from_array(np.zeros((), np.float32), "nothing"),
        numpy_helper.from_array(boxes, "boxes"),
    ]
    image = helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, 32, 32])
    result = helper.make_tensor_value_info("output0", TensorProto.FLOAT, boxes.shape)
    graph = helper.make_graph(nodes, "small", [image], [result], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, {"names": _NAMES})
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
