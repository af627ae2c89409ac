import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from reachy_agent_ros.agent.model.chat_completions import CallIndices, ThoughtFilter, require_chunk, require_completion
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer

FIRST = {"id": "a", "function": {"name": "move_head", "arguments": '{"yaw'}}
MORE = {"function": {"arguments": '_deg": 1}'}}
SECOND = {"id": "b", "function": {"name": "take_photo", "arguments": "{}"}}

CALLS = (("move_head", {"yaw_deg": 20}),)
FRAME = {"id": "a", "created": 0, "model": "a"}


def chunk(*choices: Any, usage: Any = None) -> ChatCompletionChunk:
    """Builds a chunk of a streamed response as the SDK does, without validation."""
    found: ChatCompletionChunk = ChatCompletionChunk.construct(
        **FRAME, object="chat.completion.chunk", choices=list(choices), usage=usage
    )
    return found


def completion(message: Any) -> ChatCompletion:
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    found: ChatCompletion = ChatCompletion.construct(**FRAME, object="chat.completion", choices=[choice])
    return found


def piece(**delta: Any) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": None}


def test_accepts_chunks_with_text_tool_calls_and_usage() -> None:
    for delta in ScriptedAnswer("Hello there.", CALLS).deltas():
        require_chunk(chunk(piece(**delta)))
    require_chunk(chunk({"index": 0, "delta": {}, "finish_reason": "stop"}))
    require_chunk(chunk(usage={"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}))
    require_completion(completion(ScriptedAnswer("Hello.", CALLS).message()))


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        5,
        {},
        {"index": 0, "delta": None, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": 5},
        piece(content=5),
        piece(content=["a"]),
        piece(refusal={}),
        piece(tool_calls="move_head"),
        piece(tool_calls=["move_head"]),
        piece(tool_calls=[{"index": 0, "id": 5}]),
        piece(tool_calls=[{"index": 0, "function": "move_head"}]),
        piece(tool_calls=[{"index": 0, "function": {"name": "a", "arguments": {}}}]),
    ],
    ids=json.dumps,
)
def test_rejects_invalid_chunk_of_chat_completion(wrong: Any) -> None:
    with pytest.raises(AgentError, match="did not send a valid completion") as refused:
        require_chunk(chunk(wrong))
    assert refused.value.code is ErrorCode.MODEL_MISBEHAVED


@pytest.mark.parametrize("wrong", [None, "Hello.", {"content": 5}, {"content": "a", "tool_calls": [{"function": 5}]}])
def test_rejects_invalid_chat_completion(wrong: Any) -> None:
    with pytest.raises(AgentError, match="did not send a valid completion"):
        require_completion(completion(wrong))


def test_rejects_chat_completion_without_choices() -> None:
    with pytest.raises(AgentError, match="did not send a valid completion"):
        require_completion(ChatCompletion.construct(**FRAME, object="chat.completion", choices=[]))
    with pytest.raises(AgentError, match="did not send a valid completion"):
        require_completion("<html>")  # type: ignore[arg-type]


def numbers(*pieces: dict[str, Any]) -> list[int]:
    indices = CallIndices()
    found = []
    for piece in pieces:
        choice = {"index": 0, "delta": {"tool_calls": [piece]}, "finish_reason": None}
        chunk = ChatCompletionChunk.construct(None, choices=[choice])
        indices.correct(chunk)
        found += [call.index for call in chunk.choices[0].delta.tool_calls or ()]
    return found


def test_corrects_tool_calls_that_all_have_index_0() -> None:
    assert numbers({**FIRST, "index": 0}, {**MORE, "index": 0}, {**SECOND, "index": 0}, {**MORE, "index": 0}) == [
        0,
        0,
        1,
        1,
    ]


def test_keeps_correct_indices_of_tool_calls() -> None:
    assert numbers({**FIRST, "index": 0}, {**SECOND, "index": 1}, {**MORE, "index": 0}) == [0, 1, 0]


@pytest.mark.parametrize("number", [{}, {"index": None}])
def test_adds_missing_index_of_tool_call(number: dict[str, Any]) -> None:
    assert numbers({**FIRST, **number}, {**MORE, **number}, {**SECOND, **number}) == [0, 0, 1]


def test_name_without_id_starts_new_tool_call() -> None:
    nameless = [{**call, "id": None, "index": 0} for call in (FIRST, MORE, SECOND)]
    assert numbers(*nameless) == [0, 0, 1]


def heard(text: str, size: int) -> str:
    thoughts = ThoughtFilter()
    return "".join(thoughts.feed(text[start : start + size]) for start in range(0, len(text), size))


@given(st.text().filter(lambda text: "</think>" not in text), st.integers(1, 9))
def test_removes_reasoning_for_any_chunk_boundaries(thought: str, size: int) -> None:
    assert heard(f"\n<think>{thought}</think>\n\nHello there.", size).lstrip() == "Hello there."


@given(st.text(), st.integers(1, 9))
def test_keeps_answer_without_reasoning(text: str, size: int) -> None:
    assert heard(f"Well, {text}", size) == f"Well, {text}"


@pytest.mark.parametrize("text", ["<tool_call>{}</tool_call>", "<thinking is hard>", '{"reply": "<think>"}', "< 3"])
def test_keeps_text_that_resembles_reasoning_tags(text: str) -> None:
    assert heard(text, 2) == text


def test_unterminated_reasoning_yields_no_text() -> None:
    assert heard("<think>" + "hm " * 1000, 7) == ""
