import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from reachy_agent_ros.agent.model.reply_form import require_chunk, require_completion
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_answer import Answer

CALLS = (("move_head", {"yaw_deg": 20}),)
FRAME = {"id": "a", "created": 0, "model": "a"}


def chunk(*choices: Any, usage: Any = None) -> ChatCompletionChunk:
    """As the SDK makes it of what a server sent: it looks at nothing."""
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


def test_words_calls_and_what_was_used_are_taken() -> None:
    for delta in Answer("Hello there.", CALLS).deltas():
        require_chunk(chunk(piece(**delta)))
    require_chunk(chunk({"index": 0, "delta": {}, "finish_reason": "stop"}))
    require_chunk(chunk(usage={"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}))
    require_completion(completion(Answer("Hello.", CALLS).message()))


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
def test_a_piece_of_another_form_is_refused(wrong: Any) -> None:
    with pytest.raises(AgentError, match="no completion") as refused:
        require_chunk(chunk(wrong))
    assert refused.value.code is ErrorCode.MODEL_MISBEHAVED


@pytest.mark.parametrize("wrong", [None, "Hello.", {"content": 5}, {"content": "a", "tool_calls": [{"function": 5}]}])
def test_an_answer_of_another_form_is_refused(wrong: Any) -> None:
    with pytest.raises(AgentError, match="no completion"):
        require_completion(completion(wrong))


def test_an_answer_without_a_choice_is_refused() -> None:
    with pytest.raises(AgentError, match="no completion"):
        require_completion(ChatCompletion.construct(**FRAME, object="chat.completion", choices=[]))
    with pytest.raises(AgentError, match="no completion"):
        require_completion("<html>")  # type: ignore[arg-type]
