import pytest

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.protocol.tools import ToolOrigin
from reachy_agent_ros.tools.tool import Tool, ToolSpecification


def tool(name: str) -> Tool:
    return Tool(ToolSpecification(name, "Does it.", ToolArguments, time_limit=1.0), lambda _arguments, _context: {})


def test_unknown_tool_error_suggests_similar_names() -> None:
    with pytest.raises(AgentError, match="did you mean move_head") as caught:
        ToolCatalogue([tool("move_head"), tool("dance")]).find("move_hed")
    assert caught.value.code is ErrorCode.UNKNOWN_TOOL


def test_unknown_tool_error_lists_all_tools_if_no_name_is_similar() -> None:
    with pytest.raises(AgentError, match="available: dance, move_head"):
        ToolCatalogue([tool("move_head"), tool("dance")]).find("xyz")


def test_disabled_tool_is_listed_but_cannot_be_called() -> None:
    catalogue = ToolCatalogue([tool("dance")])
    catalogue.set_enabled("dance", False)
    assert [entry.enabled for entry in catalogue.entries()] == [False]
    with pytest.raises(AgentError) as caught:
        catalogue.find("dance")
    assert caught.value.code is ErrorCode.TOOL_DISABLED
    catalogue.set_enabled("dance", True)
    assert catalogue.find("dance").specification.name == "dance"


def test_every_catalog_change_increments_revision_and_notifies_observer() -> None:
    catalogue = ToolCatalogue([tool("dance")])
    seen: list[int] = []
    catalogue.on_change(lambda: seen.append(catalogue.revision))
    catalogue.put(tool("wave"))
    catalogue.set_enabled("wave", False)
    assert seen == [1, 2]
    assert [entry.tool.specification.name for entry in catalogue.entries()] == ["dance", "wave"]


def test_catalog_returns_origin_of_tool() -> None:
    catalogue = ToolCatalogue([tool("dance")])
    assert catalogue.origin("dance") is ToolOrigin.PREDEFINED
    assert catalogue.origin("wave") is None


def test_disabling_unknown_tool_raises_error() -> None:
    catalogue = ToolCatalogue()
    with pytest.raises(AgentError):
        catalogue.set_enabled("dance", False)
    assert catalogue.revision == 0


def test_removed_tool_is_reported_as_unknown() -> None:
    catalogue = ToolCatalogue([tool("dance"), tool("wave")])
    catalogue.remove("wave")
    assert [entry.tool.specification.name for entry in catalogue.entries()] == ["dance"]
    with pytest.raises(AgentError) as caught:
        catalogue.remove("wave")
    assert caught.value.code is ErrorCode.UNKNOWN_TOOL
    assert catalogue.revision == 1


def test_catalog_accepts_tool_that_is_initially_disabled() -> None:
    catalogue = ToolCatalogue()
    catalogue.put(tool("wave"), enabled=False)
    assert [entry.enabled for entry in catalogue.entries()] == [False]
