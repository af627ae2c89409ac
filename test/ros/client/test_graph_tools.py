import pytest
from reachy_agent_msgs.msg import ToolCatalogue, ToolSpec

from reachy_agent_ros.ros.client.graph_tools import usable_tools


def tool(name: str, schema: str = "{}", origin: int = 0) -> ToolSpec:
    return ToolSpec(name=name, arguments_schema=schema, origin=origin, enabled=True)


@pytest.mark.parametrize("schema", ["", "{", "5", "[]", "null", "[" * 5_000])
def test_tool_listing_skips_tool_with_invalid_schema(schema: str) -> None:
    found = usable_tools(ToolCatalogue(tools=[tool("good"), tool("bad", schema)]))
    assert [one.name for one in found] == ["good"]


def test_tool_listing_skips_tool_of_unknown_origin() -> None:
    assert usable_tools(ToolCatalogue(tools=[tool("bad", origin=255)])) == ()
