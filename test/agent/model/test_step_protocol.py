import json
from dataclasses import replace
from typing import Any

import pytest
from agents import ModelSettings, ModelTracing
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from reachy_agent_ros.agent.model.request import ModelRequest
from reachy_agent_ros.agent.model.step_protocol import (
    ModelCall,
    ModelStep,
    StepError,
    StepProtocol,
    may_become_call,
    tool_sheet,
    written_calls,
)
from support.agent.model_tools import model_tools
from support.agent.world import catalogue

REQUEST = ModelRequest("", [], ModelSettings(), model_tools(), None, [], ModelTracing.DISABLED)
PROTOCOL = StepProtocol(REQUEST)
TOOLS = ["move_head", "take_photo"]


def test_step_protocol_reads_reply_and_tool_call() -> None:
    assert PROTOCOL.parse('{"reply": "Hello."}') == ModelStep("Hello.")
    assert PROTOCOL.parse('{"tool": "move_head", "args": {"yaw_deg": 5}}') == ModelStep(
        calls=(ModelCall("move_head", {"yaw_deg": 5}),)
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not one JSON object"),
        ("hello", "not one JSON object"),
        ("[]", "not an object"),
        ("{}", "neither"),
        ('{"reply": "  "}', "neither"),
        ('{"tool": "fly", "args": {}}', "There are: move_head"),
        ('{"tool": ["move_head"]}', "There is no tool"),
        ('{"tool": "move_head", "args": {"yaw_deg": "far"}}', "args of move_head are wrong"),
        ('{"tool": "move_head", "args": []}', "args of move_head are wrong"),
        ('{"calls": "move_head"}', "must be a list"),
        ('{"calls": [{"tool": "move_head", "args": {}}, {"tool": "fly"}]}', "There is no tool 'fly'"),
        (json.dumps({"calls": [{"tool": "take_photo"}] * 9}), "At most 8"),
        ('{"name": "move_head", "arguments": {"yaw_deg": "far"}}', "args of move_head are wrong"),
        ("[" * 100_000, "nested too deeply"),
        ('{"tool": "move_head", "args": {"yaw_deg": ' + "9" * 5_000 + "}}", "not one JSON object"),
    ],
)
def test_error_for_invalid_step_explains_problem_to_model(text: str, complaint: str) -> None:
    with pytest.raises(StepError, match=complaint):
        PROTOCOL.parse(text)


def test_step_protocol_reads_several_tool_calls_in_order() -> None:
    step = PROTOCOL.parse('{"calls": [{"tool": "move_head", "args": {"yaw_deg": 5}}, {"tool": "take_photo"}]}')
    assert step.calls == (ModelCall("move_head", {"yaw_deg": 5}), ModelCall("take_photo", {}))


def test_step_protocol_reads_tool_call_in_format_of_other_protocol() -> None:
    step = PROTOCOL.parse('{"name": "move_head", "arguments": {"yaw_deg": 5}}')
    assert (step.calls, step.salvaged) == ((ModelCall("move_head", {"yaw_deg": 5}),), True)


def test_step_schema_allows_only_the_chosen_tool() -> None:
    protocol = StepProtocol(replace(REQUEST, model_settings=ModelSettings(tool_choice="take_photo")))
    schema = Draft202012Validator(protocol.response_format["json_schema"]["schema"])
    assert schema.is_valid({"tool": "take_photo", "args": {}})
    assert not schema.is_valid({"tool": "move_head", "args": {"yaw_deg": 5}})
    assert not schema.is_valid({"reply": "No."})
    assert protocol.instructions == PROTOCOL.instructions


def test_step_schema_allows_several_calls_only_if_enabled() -> None:
    single = StepProtocol(replace(REQUEST, model_settings=ModelSettings(parallel_tool_calls=False)))
    assert "calls" in PROTOCOL.instructions
    assert "calls" in json.dumps(PROTOCOL.response_format)
    assert "calls" not in single.instructions
    assert "calls" not in json.dumps(single.response_format)


def test_step_schema_contains_every_tool_and_reply() -> None:
    schema = json.dumps(PROTOCOL.response_format)
    assert all(f'{{"const": "{tool.name}"}}' in schema for tool in catalogue())
    assert '"reply"' in schema


def test_instructions_for_equal_tools_are_identical() -> None:
    assert PROTOCOL.instructions == StepProtocol(REQUEST).instructions


@pytest.mark.slow
@given(st.text() | st.recursive(st.none() | st.text(), lambda child: st.dictionaries(st.text(), child)).map(json.dumps))
def test_any_text_is_parsed_as_step_or_raises_step_error(text: str) -> None:
    try:
        step = PROTOCOL.parse(text)
    except StepError:
        return
    assert step.reply or step.calls


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
def test_tool_argument_is_described_in_words(value: dict[str, Any], words: str) -> None:
    assert sheet(**value) == words


def test_description_of_required_argument_has_no_marker() -> None:
    assert sheet(required=True, type="boolean") == "boolean"


def test_description_of_tool_without_arguments_is_one_line() -> None:
    assert tool_sheet("stop", "Stops.", {}) == tool_sheet("stop", "Stops.", {"type": "object", "properties": {}})


def test_unsupported_schema_is_described_as_json() -> None:
    schema = {"type": "object", "$defs": {"a": {}}, "properties": {"b": {"$ref": "#/$defs/a"}}}
    assert json.dumps(schema) in tool_sheet("odd", "Odd.", schema)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)
_KEYS = st.sampled_from(["type", "description", "default", "enum", "minimum", "maxLength", "anyOf", "title"])


@pytest.mark.slow
@given(st.dictionaries(_KEYS, _JSON, max_size=5), st.sampled_from(["number", "string", ["number"], None]))
def test_any_tool_schema_can_be_described(value: dict[str, Any], kind: Any) -> None:
    properties = {"yaw_deg": {**value, "type": kind}}
    assert "yaw_deg" in tool_sheet("turn", "", {"type": "object", "properties": properties})


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
def test_finds_tool_call_in_any_enclosing_text(text: str) -> None:
    assert may_become_call(text)
    assert written_calls(text, TOOLS) == (ModelCall("move_head", {"yaw_deg": 30}),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I turned my head.",
        '{"name": "reboot", "arguments": {}}',
        '{"name": "move_head", "arguments": [1]}',
        '{"name": "move_head", "arguments": "not json"}',
        '{"name": "move_head", "arguments": {"yaw_deg": ' + "9" * 5_000 + "}}",
        'Sure: {"name": "move_head", "arguments": {}}',
        '{"name": "move_head", "arguments": {"yaw_',
        "[1, 2]",
    ],
)
def test_other_text_is_not_a_tool_call(text: str) -> None:
    assert written_calls(text, TOOLS) == ()


@pytest.mark.parametrize("start", ["a", "```", "<tool_call>"])
@pytest.mark.parametrize("unit", [" ", "\n", "`"])
def test_long_text_is_searched_for_tool_calls_in_linear_time(start: str, unit: str) -> None:
    assert written_calls(start + unit * 200_000 + "x", TOOLS) == ()  # otherwise reaches the time limit of the test


@given(st.text())
def test_tool_calls_found_in_any_text_use_known_tools(text: str) -> None:
    assert {call.tool for call in written_calls(text, TOOLS)} <= {*TOOLS}


@pytest.mark.parametrize(
    "text",
    [
        '[{"name": "move_head", "arguments": {}}, {"name": "take_photo"}]',
        '<tool_call>{"name": "move_head", "arguments": {}}</tool_call>\n<tool_call>{"name": "take_photo"}</tool_call>',
    ],
)
def test_finds_several_tool_calls_in_text_in_order(text: str) -> None:
    assert may_become_call(text)
    assert written_calls(text, TOOLS) == (ModelCall("move_head", {}), ModelCall("take_photo", {}))


def test_unknown_tool_call_invalidates_all_calls() -> None:
    assert written_calls('[{"name": "move_head"}, {"name": "reboot"}]', TOOLS) == ()
