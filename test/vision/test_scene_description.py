from collections.abc import Callable

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.scene_description import analyze, describe, listing
from reachy_agent_ros.vision.vision_model import VisionModel

BLACK = np.zeros((240, 320, 3), np.uint8)
APPLE = Detection("apple", 0.9, BoundingBox(10, 100, 40, 130))
DUCK = Detection("duck", 0.8, BoundingBox(150, 100, 180, 130))
CUP = Detection("cup", 0.7, BoundingBox(290, 100, 320, 130))
NONE = VisionModel("", "")


def test_scene_description_includes_scene_type() -> None:
    answer = 'Sure: {"description": "An apple.", "scene_type": " Office"}'
    with ScriptedEndpoint([ScriptedAnswer(answer)]) as endpoint:
        scene = describe(BLACK, "What is there?", [APPLE], VisionModel(endpoint.url, "gemma3:4b"))
        asked = endpoint.chats[0]
    assert (scene.description, scene.scene_type) == ("An apple.", "office")
    assert asked["messages"][-1]["content"][-1]["text"].endswith("Question: What is there?")
    assert asked["response_format"]["json_schema"]["schema"]["required"] == ["description", "scene_type"]


def test_model_response_without_json_is_used_as_description() -> None:
    with ScriptedEndpoint([ScriptedAnswer("An apple on a desk.")]) as endpoint:
        scene = describe(BLACK, "What is there?", [APPLE], VisionModel(endpoint.url, "gemma3:4b"))
    assert (scene.description, scene.scene_type) == ("An apple on a desk.", "")


def test_description_without_model_lists_detections() -> None:
    scene = describe(BLACK, "What is there?", [APPLE], VisionModel("", ""))
    assert scene.description == "I see an apple on the left."
    assert scene.scene_type == ""


def test_vision_model_answers_question_about_scene() -> None:
    with ScriptedEndpoint([ScriptedAnswer("Two things.")]) as endpoint:
        assert analyze(BLACK, "How many?", [APPLE], VisionModel(endpoint.url, "gemma3:4b")) == "Two things."
        question = endpoint.chats[0]["messages"][-1]["content"][-1]["text"]
    assert question.endswith("Question: How many?")


def test_question_without_model_is_answered_with_detections() -> None:
    assert analyze(BLACK, "What is there?", [APPLE], NONE) == "I see an apple on the left."


@pytest.mark.parametrize("ask", [analyze, lambda *asked: describe(*asked).description])
def test_question_is_answered_with_detections_if_server_rejects_picture(
    ask: Callable[..., str], caplog: pytest.LogCaptureFixture
) -> None:
    rejection = ScriptedAnswer("image input is not supported", status=500)
    with ScriptedEndpoint([rejection] * 3) as endpoint:
        told = ask(BLACK, "What do you see?", [DUCK, CUP], VisionModel(endpoint.url, "qwen3:8b"))
    assert told == "I see a duck in the middle and a cup on the right."
    assert "image input is not supported" in caplog.text


def test_rejects_empty_question_about_scene() -> None:
    with pytest.raises(AgentError) as caught:
        analyze(BLACK, "  ", [APPLE], NONE)
    assert caught.value.code is ErrorCode.EMPTY_TEXT


def test_detections_are_listed_with_their_side() -> None:
    assert listing([], 320) == "I do not see anything that I recognize."
    assert listing([DUCK], 320) == "I see a duck in the middle."
    assert (
        listing([APPLE, DUCK, CUP], 320) == "I see an apple on the left, a duck in the middle and a cup on the right."
    )
