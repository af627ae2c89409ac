import contextlib
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.mcp_tools.described_tools import safe_schema, tool_name
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolDescription

names = st.text(max_size=100)
servers = st.from_regex(r"[a-z][a-z0-9-]{0,23}", fullmatch=True)


def test_valid_name_of_mcp_tool_is_unchanged() -> None:
    assert tool_name("files", "read_file") == "files_read_file"
    assert tool_name("files", "readFile-2") == "files_readFile-2"


@pytest.mark.slow
@given(servers, names)
def test_invalid_name_of_mcp_tool_is_converted_to_valid_name(server: str, tool: str) -> None:
    name = tool_name(server, tool)
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name)
    assert name.startswith(f"{server}_")


@given(servers, st.sets(st.text(alphabet="ab._! é", max_size=4), min_size=2), st.text("a", min_size=58, max_size=70))
def test_mcp_tool_names_are_unique(server: str, tools: set[str], end: str) -> None:
    assert len({tool_name(server, tool) for tool in tools}) == len(tools)
    assert len({tool_name(server, tool + end) for tool in tools}) == len(tools)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
)
keywords = st.sampled_from(["type", "properties", "required", "default", "enum", "$ref", "pattern", "description", "a"])
schemas = st.recursive(
    json_values | st.sampled_from(["object", "string", "#", "#/properties/a", "#/a", "#a"]),
    lambda inner: st.dictionaries(keywords, inner, max_size=4) | st.lists(inner, max_size=2),
)


def test_safe_schema_removes_patterns_and_truncates_descriptions() -> None:
    argument = {"type": "string", "title": "A", "pattern": "^(a+)+$", "description": "word\n" * 1000}
    schema = {"type": "object", "title": "T", "properties": {"pattern": argument, "title": {"const": {"title": 1}}}}
    clean = safe_schema(schema)["properties"]
    assert clean["pattern"]["type"] == "string"
    assert set(clean["pattern"]) == {"type", "description"}
    assert len(clean["pattern"]["description"]) == 300
    assert clean["title"] == {"const": {"title": 1}}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "string"},
        {"type": "object", "properties": {"a": True}},
        {"type": "object", "properties": {"a": {"type": "nothing"}}},
        {"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}},
        {"type": "object", "properties": {"a": {"$ref": "#name"}}},
        {"type": "object", "$defs": {"a": {"allOf": [{"$ref": "https://example.com/a"}]}}},
        {"type": "object", "properties": {"a": {"enum": ["x" * 30_000]}}},
        {"type": "object", "properties": {"a": {"minimum": 10**400}}},
        {"type": "object", "properties": {"a": {"default": float("nan")}}},
    ],
)
def test_rejects_unsupported_tool_schema(schema: dict[str, Any]) -> None:
    with pytest.raises(AgentError) as refused:
        safe_schema(schema)
    assert refused.value.code is ErrorCode.VALIDATION_FAILED


@pytest.mark.slow
@given(st.dictionaries(keywords, schemas, max_size=5), json_values)
def test_accepted_schema_can_validate_any_arguments(about: dict[str, Any], value: Any) -> None:
    try:
        schema = safe_schema({**about, "type": "object"})
    except AgentError:
        return
    with contextlib.suppress(AgentError):  # any other error fails the test
        assert read_arguments(ToolDescription("x", "", schema, 1.0), json.dumps({"a": value}))["a"] == value
