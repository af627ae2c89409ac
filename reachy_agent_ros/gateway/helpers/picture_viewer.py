"""Worker that analyzes uploaded pictures with the robot's detector and vision model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.settings_file import FILE_NAME, load_vision_endpoints
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.gateway.helpers.helper import serve
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import Detection, Detector
from reachy_agent_ros.vision.detectors import detector
from reachy_agent_ros.vision.face_detector import FaceDetector
from reachy_agent_ros.vision.image_file import decode_image
from reachy_agent_ros.vision.scene_description import describe
from reachy_agent_ros.vision.vision_model import VisionModel


def view(request: dict[str, Any]) -> dict[str, Any]:
    """Answers `question` about the image file `path`.

    `detector`, `model_endpoint`, `model_name` and `model_timeout` are the parameters of the vision node.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file is not a picture; `EMPTY_TEXT`: there is no question; or an error of
            `detector` or of the settings of the vision model.
    """
    model = _model(request["model_endpoint"], request["model_name"], request["model_timeout"])
    image = decode_image(Path(request["path"]).read_bytes())
    found = _found(image, _detector(request["detector"], model))
    scene = describe(image, request["question"], found, model)
    return {
        "description": scene.description,
        "scene_type": scene.scene_type,
        "objects": [{"name": one.label, "confidence": one.confidence, "box": list(one.box)} for one in found],
    }


def _found(image: Image, objects: Detector) -> Sequence[Detection]:
    found = [*objects.detect(image), *_faces().detect(image)]
    return sorted(found, key=lambda thing: -thing.confidence)


@cache
def _model(url: str, name: str, timeout: float) -> VisionModel:
    return VisionModel.of(load_vision_endpoints(state_directory() / FILE_NAME, Endpoint(url, name, timeout)))


@cache
def _detector(wanted: str, model: VisionModel) -> Detector:
    return detector(wanted, model)


@cache
def _faces() -> FaceDetector:
    return FaceDetector()


if __name__ == "__main__":
    serve(view)
