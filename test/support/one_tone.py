"""Small untrained networks with the inputs and output of a Piper voice."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from reachy_agent_ros.tts.voice import JOE


def write_one_tone(folder: Path, name: str = "tone") -> Path:
    """Writes a voice that outputs its phoneme ids. Returns the path of the .onnx file.

    The voice cannot be split.
    """
    inputs = [
        helper.make_tensor_value_info("input", TensorProto.INT64, [1, "phonemes"]),
        helper.make_tensor_value_info("input_lengths", TensorProto.INT64, [1]),
        helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]),
    ]
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, 1, "samples"])
    shape = helper.make_tensor("shape", TensorProto.INT64, [4], [1, 1, 1, -1])
    small = helper.make_tensor("small", TensorProto.FLOAT, [1], [0.001])
    nodes = [
        helper.make_node("Cast", ["input"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["numbers", "small"], ["quiet"]),
        helper.make_node("Reshape", ["quiet", "shape"], ["output"]),
    ]
    graph = helper.make_graph(nodes, "tone", inputs, [output], [shape, small])
    path = folder / f"{name}.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8), str(path))
    settings = json.loads((JOE.verified() / "en_US-joe-medium.onnx.json").read_text())
    Path(f"{path}.json").write_text(json.dumps(settings))
    return path
