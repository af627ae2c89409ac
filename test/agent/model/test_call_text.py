import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.model.call_text import WrittenCall, may_become_call, written_calls

TOOLS = ["move_head", "take_photo"]


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "move_head", "arguments": {"yaw_deg": 30}}',
        '{"name": "move_head", "parameters": {"yaw_deg": 30}}',
        '{"name": "move_head", "arguments": "{\\"yaw_deg\\": 30}"}',
        '```json\n{"name": "move_head", "arguments": {"yaw_deg": 30}}\n```',
        '<tool_call>\n{"name": "move_head", "arguments": {"yaw_deg": 30}}\n</tool_call>',
        '{{"name": "move_head", "arguments": {"yaw_deg": 30}}}',
        '{"type": "function", "function": {"name": "move_head", "arguments": {"yaw_deg": 30}}}',
    ],
)
def test_a_call_is_found_however_it_is_wrapped(text: str) -> None:
    assert may_become_call(text)
    assert written_calls(text, TOOLS) == (WrittenCall("move_head", {"yaw_deg": 30}),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I turned my head.",
        '{"name": "reboot", "arguments": {}}',
        '{"name": "move_head", "arguments": [1]}',
        '{"name": "move_head", "arguments": "not json"}',
        'Sure: {"name": "move_head", "arguments": {}}',
        '{"name": "move_head", "arguments": {"yaw_',
        "[1, 2]",
    ],
)
def test_anything_else_is_text(text: str) -> None:
    assert written_calls(text, TOOLS) == ()


@given(st.text())
def test_no_text_raises_or_calls_what_is_not_there(text: str) -> None:
    assert {call.name for call in written_calls(text, TOOLS)} <= {*TOOLS}


@pytest.mark.parametrize(
    "text",
    [
        '[{"name": "move_head", "arguments": {}}, {"name": "take_photo"}]',
        '<tool_call>{"name": "move_head", "arguments": {}}</tool_call>\n<tool_call>{"name": "take_photo"}</tool_call>',
    ],
)
def test_several_calls_are_found_in_order(text: str) -> None:
    assert may_become_call(text)
    assert written_calls(text, TOOLS) == (WrittenCall("move_head", {}), WrittenCall("take_photo", {}))


def test_one_call_nobody_knows_spoils_them_all() -> None:
    assert written_calls('[{"name": "move_head"}, {"name": "reboot"}]', TOOLS) == ()
