"""Tests of the scripted model endpoint with the OpenAI client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from openai import APIStatusError, OpenAI

from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint

MESSAGES: Any = [{"role": "user", "content": "look left"}]
TWO_CALLS = ScriptedAnswer(calls=(("move_head", {"yaw_deg": 30.0}), ("take_photo", {})))


def client(server: ScriptedEndpoint) -> OpenAI:
    return OpenAI(base_url=server.url, api_key="none", max_retries=0)


def ask(server: ScriptedEndpoint) -> Any:
    return client(server).chat.completions.create(model="scripted", messages=MESSAGES).choices[0]


def streamed(server: ScriptedEndpoint) -> Iterator[Any]:
    stream = client(server).chat.completions.create(model="scripted", messages=MESSAGES, stream=True)
    return (chunk.choices[0] for chunk in stream if chunk.choices)


def test_endpoint_sends_scripted_responses_in_order() -> None:
    with ScriptedEndpoint([ScriptedAnswer("One."), ScriptedAnswer("Two.")]) as server:
        assert [ask(server).message.content for _ in range(2)] == ["One.", "Two."]
    assert [body["messages"] for body in server.chats] == [MESSAGES, MESSAGES]
    server.assert_complete()


def test_assertion_fails_if_scripted_responses_are_unused() -> None:
    with ScriptedEndpoint([ScriptedAnswer("One.")]) as server, pytest.raises(AssertionError, match=r"One\."):
        server.assert_complete()


def test_endpoint_returns_error_if_no_responses_are_left() -> None:
    with ScriptedEndpoint() as server, pytest.raises(APIStatusError, match="the script is at its end"):
        ask(server)


def test_completion_contains_complete_tool_calls() -> None:
    with ScriptedEndpoint([TWO_CALLS]) as server:
        choice = ask(server)
    assert choice.finish_reason == "tool_calls"
    assert [call.function.name for call in choice.message.tool_calls] == ["move_head", "take_photo"]
    assert json.loads(choice.message.tool_calls[0].function.arguments) == {"yaw_deg": 30.0}


@pytest.mark.parametrize(("always_zero", "indices"), [(False, {0, 1}), (True, {0})])
def test_stream_contains_tool_calls_in_chunks(always_zero: bool, indices: set[int]) -> None:
    with ScriptedEndpoint([TWO_CALLS], index_always_zero=always_zero) as server:
        calls = [call for choice in streamed(server) for call in choice.delta.tool_calls or ()]
    assert {call.index for call in calls} == indices
    assert "".join(call.function.arguments for call in calls) == '{"yaw_deg": 30.0}{}'


def test_stream_contains_text_word_by_word() -> None:
    with ScriptedEndpoint([ScriptedAnswer("I turned to the door.")]) as server:
        pieces = [choice.delta.content for choice in streamed(server) if choice.delta.content]
    assert pieces == ["I ", "turned ", "to ", "the ", "door. "]


def test_interrupted_stream_has_no_final_event() -> None:
    with ScriptedEndpoint([ScriptedAnswer("I turned to the door.", breaks_off=True)]) as server:
        choices = list(streamed(server))
    assert choices
    assert all(choice.finish_reason is None for choice in choices)


def test_error_responses_have_status_and_message() -> None:
    with ScriptedEndpoint([ScriptedAnswer("slow down", status=429)]) as server, pytest.raises(APIStatusError) as caught:
        ask(server)
    assert caught.value.status_code == 429
    assert "slow down" in caught.value.message


@pytest.mark.parametrize(
    ("answer", "written"),
    [
        (ScriptedAnswer("Hello."), {"reply": "Hello."}),
        (ScriptedAnswer(calls=(("move_head", {"yaw_deg": 5}),)), {"tool": "move_head", "args": {"yaw_deg": 5}}),
    ],
)
def test_endpoint_with_json_protocol_responds_in_json(answer: ScriptedAnswer, written: dict[str, Any]) -> None:
    tool: Any = {"type": "function", "function": {"name": "report_number", "parameters": {"type": "object"}}}
    with ScriptedEndpoint([answer], json_protocol=True) as server:
        tested = client(server).chat.completions.create(model="scripted", messages=MESSAGES, tools=[tool])
        assert tested.choices[0].message.tool_calls is None
        assert json.loads(ask(server).message.content) == written
    assert (len(server.self_tests), len(server.chats)) == (1, 1)
