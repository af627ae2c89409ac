"""Tests of the properties that all object detectors have in common, and of the choice of a detector."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import Detector
from reachy_agent_ros.vision.detectors import detector
from reachy_agent_ros.vision.vision_model import VisionModel
from support.networks import constant_network

NONE = VisionModel("", "")
NAMES = {0: "apple", 1: "duck"}
FINAL = np.array([[[80, 50, 400, 70, 0.6, 0], [10, 10, 30, 30, 0.9, 1]]])
SEEN = [
    {"label": "duck", "confidence": 0.5, "left": -20, "top": 0, "right": 500, "bottom": 500},
    {"label": "apple", "confidence": 0.8, "left": 300, "top": 300, "right": 500, "bottom": 500},
]


@pytest.fixture(params=["desk", "onnx", "endpoint"])
def finder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Detector]:
    with ScriptedEndpoint([ScriptedAnswer(json.dumps({"objects": SEEN}))] * 2) as endpoint:
        configuration = request.param
        if configuration == "onnx":
            configuration = f"onnx:{constant_network(tmp_path / 'net.onnx', FINAL, names=NAMES)}"
        yield detector(configuration, VisionModel(endpoint.url, "gemma3:4b"))


def picture(width: int, height: int) -> Image:
    return np.random.default_rng(0).integers(0, 255, (height, width, 3), dtype=np.uint8)


@pytest.mark.parametrize(("width", "height"), [(320, 240), (640, 480), (100, 300)])
def test_detected_boxes_are_within_image_and_sorted_by_confidence(finder: Detector, width: int, height: int) -> None:
    image = picture(width, height)
    before = image.copy()
    found = finder.detect(image)
    assert finder.name
    assert (image == before).all()
    confidences = [one.confidence for one in found]
    assert confidences == sorted(confidences, reverse=True)
    for one in found:
        assert 0.0 <= one.confidence <= 1.0
        assert 0.0 <= one.box.x0 < one.box.x1 <= width
        assert 0.0 <= one.box.y0 < one.box.y1 <= height
        assert not finder.labels or one.label in finder.labels


@pytest.mark.parametrize("configuration", ["", "cat", "onnx", "onnx:", "desk:", "endpoint:gemma3"])
def test_rejects_unknown_detector_name(configuration: str) -> None:
    with pytest.raises(AgentError) as caught:
        detector(configuration, NONE)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    assert repr(configuration) in caught.value.message


def test_rejects_endpoint_detector_without_endpoint() -> None:
    with pytest.raises(AgentError) as caught:
        detector("endpoint", NONE)
    assert caught.value.code is ErrorCode.MODEL_UNAVAILABLE
