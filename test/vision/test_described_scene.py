import numpy as np

from reachy_agent_ros.testing.scripted_endpoint import Answer, ScriptedEndpoint
from reachy_agent_ros.vision.described_scene import described
from reachy_agent_ros.vision.detection import Box, Detection
from reachy_agent_ros.vision.vision_model import VisionModel

BLACK = np.zeros((240, 320, 3), np.uint8)
APPLE = Detection("apple", 0.9, Box(10, 100, 40, 130))


def test_a_vision_model_names_the_place_too() -> None:
    answer = 'Sure: {"description": "An apple.", "scene_type": " Office"}'
    with ScriptedEndpoint([Answer(answer)]) as endpoint:
        scene = described(BLACK, "What is there?", [APPLE], VisionModel(endpoint.url, "gemma3:4b"))
        asked = endpoint.chats[0]
    assert (scene.description, scene.scene_type) == ("An apple.", "office")
    assert asked["messages"][-1]["content"][-1]["text"].endswith("Question: What is there?")
    assert asked["response_format"]["json_schema"]["schema"]["required"] == ["description", "scene_type"]


def test_one_that_writes_plainly_is_taken_at_its_word() -> None:
    with ScriptedEndpoint([Answer("An apple on a desk.")]) as endpoint:
        scene = described(BLACK, "What is there?", [APPLE], VisionModel(endpoint.url, "gemma3:4b"))
    assert (scene.description, scene.scene_type) == ("An apple on a desk.", "")


def test_without_one_the_description_is_what_was_detected() -> None:
    scene = described(BLACK, "What is there?", [APPLE], VisionModel("", ""))
    assert scene.description.endswith("My detector sees an apple on the left.")
    assert scene.scene_type == ""
