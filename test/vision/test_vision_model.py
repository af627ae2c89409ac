from __future__ import annotations

import base64
import io
import threading

import numpy as np
import pytest
from PIL import Image as PillowImage

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.vision_model import VisionModel

RED = np.full((24, 32, 3), (200, 30, 30), np.uint8)


def picture_in(body: dict) -> Image:
    """Decodes the image in a request in the same way as a server."""
    [image] = [part["image_url"]["url"] for part in body["messages"][-1]["content"] if part["type"] == "image_url"]
    kind, _, data = image.partition(";base64,")
    assert kind == "data:image/jpeg"
    return np.asarray(PillowImage.open(io.BytesIO(base64.b64decode(data))))


def test_vision_model_receives_image_and_question() -> None:
    with ScriptedEndpoint([ScriptedAnswer(" A red wall. ")]) as endpoint:
        model = VisionModel(endpoint.url, "gemma3:4b")
        assert model.ask(RED, "What is this?") == "A red wall."
        [body] = endpoint.chats
    assert body["model"] == "gemma3:4b"
    assert body["messages"][-1]["content"][-1] == {"type": "text", "text": "What is this?"}
    assert "response_format" not in body
    assert picture_in(body).shape == RED.shape
    assert np.abs(picture_in(body).astype(int) - RED).max() < 12


def test_vision_model_receives_json_schema_of_response() -> None:
    with ScriptedEndpoint([ScriptedAnswer("{}")]) as endpoint:
        VisionModel(endpoint.url, "gemma3:4b").ask(RED, "What?", {"type": "object"})
        assert endpoint.chats[0]["response_format"]["json_schema"]["schema"] == {"type": "object"}


def test_next_endpoint_responds_if_first_endpoint_fails() -> None:
    failing, working = ScriptedAnswer("out of memory", status=500), ScriptedAnswer("A red wall.")
    with ScriptedEndpoint([failing]) as first, ScriptedEndpoint([working]) as second:
        model = VisionModel.of([Endpoint(first.url, "one"), Endpoint(second.url, "two")])
        assert model.ask(RED, "What is this?") == "A red wall."
        assert (first.chats[0]["model"], second.chats[0]["model"]) == ("one", "two")
        model.close()


def test_error_of_last_endpoint_is_raised_if_all_fail() -> None:
    with ScriptedEndpoint([ScriptedAnswer("out of memory", status=500)]) as only:
        model = VisionModel.of([Endpoint("http://127.0.0.1:1/v1"), Endpoint(only.url)])
        assert code_of(model) is ErrorCode.MODEL_FAILED
        model.close()


def test_vision_model_is_not_configured_without_endpoint() -> None:
    assert not VisionModel.of([]).configured
    model = VisionModel("", "")
    assert not model.configured
    assert code_of(model) is ErrorCode.MODEL_UNAVAILABLE
    model.close()


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (ScriptedAnswer("this model does not take images", status=400), ErrorCode.MODEL_FAILED, "does not take images"),
        (ScriptedAnswer("out of memory", status=500), ErrorCode.MODEL_FAILED, "HTTP 500"),
        (ScriptedAnswer("slow down", status=429), ErrorCode.MODEL_FAILED, "HTTP 429"),
        (ScriptedAnswer("A long st", finish="length"), ErrorCode.MODEL_TRUNCATED, "limit"),
        (ScriptedAnswer("A red wall.", breaks_off=True), ErrorCode.MODEL_TRUNCATED, "was lost during"),
        (ScriptedAnswer(""), ErrorCode.MODEL_MISBEHAVED, "empty"),
        (ScriptedAnswer(raw="<html>"), ErrorCode.MODEL_MISBEHAVED, "not a completion"),
        (ScriptedAnswer(raw="{}"), ErrorCode.MODEL_MISBEHAVED, "not a completion"),
        (ScriptedAnswer(raw='{"choices": []}'), ErrorCode.MODEL_MISBEHAVED, "not a completion"),
        (ScriptedAnswer(raw='{"choices": "A red wall."}'), ErrorCode.MODEL_MISBEHAVED, "not a completion"),
        (
            ScriptedAnswer(raw='{"choices": [{"finish_reason": "stop"}]}'),
            ErrorCode.MODEL_MISBEHAVED,
            "not a completion",
        ),
        (ScriptedAnswer(raw='{"choices": [{"message": {"content": "A"}}]}'), ErrorCode.MODEL_TRUNCATED, "incomplete"),
    ],
)
def test_server_failure_raises_error_that_contains_reason(answer: ScriptedAnswer, code: ErrorCode, words: str) -> None:
    with ScriptedEndpoint([answer]) as endpoint, pytest.raises(AgentError) as caught:
        VisionModel(endpoint.url, "gemma3:4b").ask(RED, "What is this?")
    assert caught.value.code is code
    assert words in caught.value.message


def test_vision_model_error_omits_api_key() -> None:
    key = "sk-0123456789abcdef"
    refusal = ScriptedAnswer(f"Incorrect API key provided: {key}.", status=401)
    with ScriptedEndpoint([refusal]) as endpoint, pytest.raises(AgentError, match=r"provided: \*\*\*\.") as caught:
        VisionModel(endpoint.url, "gemma3:4b", key).ask(RED, "What is this?")
    assert key not in caught.value.message


def test_unreachable_vision_server_raises_error() -> None:
    with ScriptedEndpoint() as endpoint:
        url = endpoint.url
    assert code_of(VisionModel(url, "gemma3:4b")) is ErrorCode.MODEL_UNAVAILABLE


def test_unresponsive_vision_server_times_out() -> None:
    late = threading.Event()
    with ScriptedEndpoint([ScriptedAnswer("too late", waits_for=late)]) as endpoint:
        assert code_of(VisionModel(endpoint.url, "gemma3:4b", timeout=0.2)) is ErrorCode.MODEL_UNAVAILABLE
        late.set()


def code_of(model: VisionModel) -> ErrorCode:
    with pytest.raises(AgentError) as caught:
        model.ask(RED, "What is this?")
    return caught.value.code
