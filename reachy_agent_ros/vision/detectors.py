"""Which detector a configuration asks for."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.detection import Detector
from reachy_agent_ros.vision.vision_model import VisionModel

DEFAULT = "desk"

CHOICES = '"desk", "onnx:PATH" or "endpoint"'
"""For people."""


def detector(configuration: str, model: VisionModel) -> Detector:
    """Makes a detector.

    Args:
        configuration: `desk` for the built-in one, `onnx:PATH` for a network of one's own, `endpoint` for the vision
            model.
        model: Whom `endpoint` asks.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for another configuration; `MODEL_UNAVAILABLE` for `endpoint` without one; as
            the detector itself where it cannot be loaded.
    """
    kind, _, path = configuration.partition(":")
    # Each is imported where it is wanted: a node with another one needs neither its packages nor its memory.
    if configuration == "desk":
        from reachy_agent_ros.vision.desk_detector import DeskDetector

        return DeskDetector()
    if kind == "onnx" and path:
        from reachy_agent_ros.vision.onnx_detector import OnnxDetector

        return OnnxDetector(Path(path).expanduser())
    if configuration == "endpoint":
        from reachy_agent_ros.vision.endpoint_detector import EndpointDetector

        if not model.configured:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, 'The detector "endpoint" needs an endpoint, and none is set.')
        return EndpointDetector(model)
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is no detector {configuration!r}: choose {CHOICES}.")
