from typing import Any

import pytest
from openai.types.chat import ChatCompletionChunk

from reachy_agent_ros.agent.model.call_indices import CallIndices

FIRST = {"id": "a", "function": {"name": "move_head", "arguments": '{"yaw'}}
MORE = {"function": {"arguments": '_deg": 1}'}}
SECOND = {"id": "b", "function": {"name": "take_photo", "arguments": "{}"}}


def numbers(*pieces: dict[str, Any]) -> list[int]:
    indices = CallIndices()
    found = []
    for piece in pieces:
        choice = {"index": 0, "delta": {"tool_calls": [piece]}, "finish_reason": None}
        chunk = ChatCompletionChunk.construct(None, choices=[choice])
        indices.correct(chunk)
        found += [call.index for call in chunk.choices[0].delta.tool_calls or ()]
    return found


def test_calls_that_are_all_number_0_are_told_apart() -> None:
    assert numbers({**FIRST, "index": 0}, {**MORE, "index": 0}, {**SECOND, "index": 0}, {**MORE, "index": 0}) == [
        0,
        0,
        1,
        1,
    ]


def test_right_numbers_stay() -> None:
    assert numbers({**FIRST, "index": 0}, {**SECOND, "index": 1}, {**MORE, "index": 0}) == [0, 1, 0]


@pytest.mark.parametrize("number", [{}, {"index": None}])
def test_a_missing_number_is_made_up(number: dict[str, Any]) -> None:
    assert numbers({**FIRST, **number}, {**MORE, **number}, {**SECOND, **number}) == [0, 0, 1]


def test_calls_without_ids_begin_with_their_names() -> None:
    nameless = [{**call, "id": None, "index": 0} for call in (FIRST, MORE, SECOND)]
    assert numbers(*nameless) == [0, 0, 1]
