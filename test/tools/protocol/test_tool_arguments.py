import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolDescription
from support.agent.permission_cases import DANCE, MOVE_HEAD

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["yaw_deg", "duration_s", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def test_omitted_arguments_have_defaults() -> None:
    assert read_arguments(MOVE_HEAD, '{"yaw_deg": 10}') == {"yaw_deg": 10, "duration_s": 0.0}
    assert read_arguments(MOVE_HEAD, " ") == {"yaw_deg": 0.0, "duration_s": 0.0}
    assert read_arguments(DANCE, "{}") == {}


@pytest.mark.parametrize(
    "written",
    ['{"yaw_deg": 5, "yaw_deg": 170}', '{"yaw_deg": NaN}', '{"yaw_deg": 1e999}', '{"yaw_deg": Infinity}',
     '{"yaw_deg": "10"}', '{"yaw_deg": 181}', '{"yaw": 1}', "[]", "null", '"{}"', "{", "{} {}", "yaw_deg=10",
     "[" * 100_000, '{"yaw_deg": ' + "9" * 5000 + "}", '{"yaw_deg": -1' + "0" * 400 + "}",
     '{"yaw_deg": ' + "[" * 900 + "]" * 900 + "}"],
)  # fmt: skip
def test_rejects_ambiguous_or_invalid_arguments(written: str) -> None:
    with pytest.raises(AgentError) as error:
        read_arguments(MOVE_HEAD, written)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert len(error.value.message) < 400


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('{"yaw": 20}', "move_head: unknown argument 'yaw'. Did you mean yaw_deg?"),
        ('{"speed": 2}', "move_head: unknown argument 'speed'. Expected: yaw_deg, duration_s."),
    ],
)
def test_error_for_unknown_argument_names_valid_arguments(written: str, message: str) -> None:
    with pytest.raises(AgentError) as error:
        read_arguments(MOVE_HEAD, written)
    assert error.value.message == message


@pytest.mark.slow
@given(JSON.map(json.dumps) | st.text(max_size=60))
def test_accepted_tool_arguments_match_schema(written: str) -> None:
    try:
        arguments: dict[str, Any] = read_arguments(MOVE_HEAD, written)
    except AgentError as refusal:
        code, arguments = refusal.code, {}
    else:
        code = ErrorCode.NONE
    assert code in (ErrorCode.NONE, ErrorCode.INVALID_ARGUMENTS)
    assert Draft202012Validator(MOVE_HEAD.schema).is_valid(arguments)
    assert all(-180 <= value <= 180 for value in arguments.values())


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/nowhere"},
        {"type": "objekt"},
        {"properties": 5},
        {"properties": {"a": 5}},
        {"required": 3},
        {"properties": {"a": {"minimum": "x"}}},
        {"properties": {"a": {"$ref": "http://localhost/never"}}},
        {"$ref": "#"},
    ],
    ids=str,
)
def test_rejects_arguments_if_schema_is_invalid(schema: dict[str, object]) -> None:
    with pytest.raises(AgentError) as error:
        read_arguments(ToolDescription("broken", "", schema, 1.0), '{"a": 1}')
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
