import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.mind.model.call_text import WrittenCall, may_become_call, written_call

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
    assert written_call(text, TOOLS) == WrittenCall("move_head", {"yaw_deg": 30})


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
    assert written_call(text, TOOLS) is None


@given(st.text())
def test_no_text_raises(text: str) -> None:
    written_call(text, TOOLS)
