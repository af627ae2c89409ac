import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.model.tool_sheet import tool_sheet


def sheet(required: bool = False, **value: Any) -> str:
    schema = {"type": "object", "properties": {"yaw_deg": value}, "required": ["yaw_deg"] if required else []}
    return tool_sheet("turn", "Turns.", schema).removeprefix("turn: Turns.\n  yaw_deg: ")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"type": "number", "minimum": -40.0, "maximum": 40.0, "default": 0.0}, "number from -40 to 40, default 0.0"),
        (
            {"type": "integer", "exclusiveMinimum": 0, "description": "How often."},
            "integer above 0, optional. How often.",
        ),
        ({"enum": ["nod", "shake"], "type": "string", "default": "nod"}, 'one of "nod", "shake", default "nod"'),
        ({"type": "string", "maxLength": 60, "minLength": 1}, "string of at most 60 characters, optional"),
        ({"type": "array", "items": {"type": "number"}}, '{"type": "array", "items": {"type": "number"}}, optional'),
    ],
)
def test_an_argument_is_told_in_words_where_there_are_some(value: dict[str, Any], words: str) -> None:
    assert sheet(**value) == words


def test_a_required_argument_needs_no_word() -> None:
    assert sheet(required=True, type="boolean") == "boolean"


def test_a_tool_without_arguments_is_one_line() -> None:
    assert tool_sheet("stop", "Stops.", {}) == tool_sheet("stop", "Stops.", {"type": "object", "properties": {}})


def test_what_has_no_short_form_stays_whole() -> None:
    schema = {"type": "object", "$defs": {"a": {}}, "properties": {"b": {"$ref": "#/$defs/a"}}}
    assert json.dumps(schema) in tool_sheet("odd", "Odd.", schema)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)
_KEYS = st.sampled_from(["type", "description", "default", "enum", "minimum", "maxLength", "anyOf", "title"])


@pytest.mark.slow
@given(st.dictionaries(_KEYS, _JSON, max_size=5), st.sampled_from(["number", "string", ["number"], None]))
def test_no_schema_of_a_strangers_tool_is_too_odd(value: dict[str, Any], kind: Any) -> None:
    properties = {"yaw_deg": {**value, "type": kind}}
    assert "yaw_deg" in tool_sheet("turn", "", {"type": "object", "properties": properties})
