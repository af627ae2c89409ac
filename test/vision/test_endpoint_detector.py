from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.endpoint_detector import SCHEMA, EndpointDetector
from reachy_agent_ros.vision.vision_model import VisionModel

BLACK = np.zeros((240, 320, 3), np.uint8)


class Says(VisionModel):
    """Stub of a vision model that returns a fixed response."""

    def __init__(self, text: str) -> None:
        super().__init__("", "gemma3:4b")
        self.text = text

    def ask(self, image: Image, question: str, schema: dict | None = None) -> str:
        assert schema is SCHEMA
        return self.text


def seen(**changes: object) -> dict:
    return {"label": "duck", "confidence": 0.9, "left": 250, "top": 500, "right": 500, "bottom": 750, **changes}


def detect(*objects: object) -> list[Detection]:
    return EndpointDetector(Says(json.dumps({"objects": objects}))).detect(BLACK)


def test_boxes_of_vision_model_are_converted_to_pixels() -> None:
    [duck] = detect(seen(label=" Duck "))
    assert duck.label == "duck"
    assert duck.confidence == pytest.approx(0.9)
    assert tuple(duck.box) == pytest.approx((80, 120, 160, 180))


def test_endpoint_detector_detects_objects_over_http() -> None:
    text = "```json\n" + json.dumps({"objects": [seen(), seen(label="apple", confidence=0.95)]}) + "\n```"
    with ScriptedEndpoint([ScriptedAnswer(text)]) as endpoint:
        detector = EndpointDetector(VisionModel(endpoint.url, "gemma3:4b"))
        assert [one.label for one in detector.detect(BLACK)] == ["apple", "duck"]
        assert endpoint.chats[0]["response_format"]["type"] == "json_schema"
    assert detector.name == "endpoint:gemma3:4b"
    assert detector.labels == ()


def test_reversed_corners_are_swapped_and_box_is_clipped_to_image() -> None:
    [duck] = detect(seen(left=500, right=250, top=750, bottom=3000, confidence=7))
    assert tuple(duck.box) == pytest.approx((80, 180, 160, 240))
    assert duck.confidence == 1.0


def test_boxes_outside_image_are_dropped() -> None:
    assert detect(seen(left=1200, right=1500)) == []


def test_duplicate_detections_are_merged() -> None:
    assert len(detect(seen(), seen(confidence=0.5, left=251))) == 1


def test_empty_list_of_objects_is_accepted() -> None:
    assert detect() == []


@pytest.mark.parametrize(
    "text",
    [
        "I see a duck.",
        "",
        "[]",
        "{}",
        '{"objects": {}}',
        '{"objects": [{"label": "duck"}]}',
        '{"objects": [' + json.dumps(seen(left="left")) + "]}",
        '{"objects": [' + json.dumps(seen(left=float("nan"))) + "]}",
        '{"objects": [' + json.dumps(seen(label="")) + "]}",
        json.dumps({"objects": [seen()]})[:-4],
    ],
)
def test_rejects_invalid_model_response(text: str) -> None:
    with pytest.raises(AgentError) as caught:
        EndpointDetector(Says(text)).detect(BLACK)
    assert caught.value.code is ErrorCode.MODEL_MISBEHAVED


numbers = st.floats() | st.integers() | st.text() | st.none()


@pytest.mark.slow
@given(st.lists(st.builds(seen, left=numbers, top=numbers, right=numbers, bottom=numbers, confidence=numbers)))
def test_any_model_response_produces_boxes_within_image(objects: list[dict]) -> None:
    try:
        found = detect(*objects)
    except AgentError:
        return
    for one in found:
        assert 0.0 <= one.confidence <= 1.0
        assert isinstance(one.box, BoundingBox)
        assert 0.0 <= one.box.x0 < one.box.x1 <= 320.0
        assert 0.0 <= one.box.y0 < one.box.y1 <= 240.0
