"""Selection of the object detector according to the configuration."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.detection import Detector
from reachy_agent_ros.vision.vision_model import VisionModel


def detector(configuration: str, model: VisionModel) -> Detector:
    """Creates an object detector.

    Args:
        configuration: `desk` for the built-in detector, `onnx:PATH` for a custom network, `endpoint` for the vision
            model.
        model: Vision model for `endpoint`.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for another configuration; `MODEL_UNAVAILABLE` for `endpoint` without a vision
            model; or an error of the detector if it cannot be loaded.
    """
    require_valid_detector(configuration)
    # Imported on demand, so that a node needs only the packages and the memory of the configured detector.
    if configuration == "desk":
        from reachy_agent_ros.vision.desk_detector import DeskDetector

        return DeskDetector()
    if configuration == "endpoint":
        from reachy_agent_ros.vision.endpoint_detector import EndpointDetector

        if not model.configured:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, 'The detector "endpoint" needs a vision model endpoint.')
        return EndpointDetector(model)
    from reachy_agent_ros.vision.onnx_detector import OnnxDetector

    return OnnxDetector(_network(configuration))


def require_valid_detector(configuration: str) -> None:
    """Validates the name of a detector, and checks that the file of a custom network exists.

    Args:
        configuration: As for `detector`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    kind, _, path = configuration.partition(":")
    if configuration in ("desk", "endpoint"):
        return
    if kind != "onnx" or not path:
        message = f'Unknown detector {configuration!r:.200}: expected "desk", "onnx:PATH" or "endpoint".'
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    if not _network(configuration).is_file():
        message = f"There is no network {_network(configuration)}: set detector to onnx:PATH with an existing file."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)


def _network(configuration: str) -> Path:
    return Path(configuration.removeprefix("onnx:")).expanduser()
