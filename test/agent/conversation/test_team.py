import asyncio
from dataclasses import replace
from typing import Any

import pytest
from agents import Agent, FunctionTool, Handoff, Tool
from agents.run_context import RunContextWrapper
from agents.testing import ScriptedModel

from reachy_agent_ros.agent.conversation.function_tools import LiveTools
from reachy_agent_ros.agent.conversation.specialists import CODE, COORDINATOR, SPECIALISTS, USUAL_TEAM, Specialist, Team
from reachy_agent_ros.agent.conversation.team import build_team
from reachy_agent_ros.agent.conversation.tool_writing import ToolWriting
from reachy_agent_ros.tools.protocol.tools import ToolDescription

NAMES = [specialist.name for specialist in SPECIALISTS]
CONTEXT: RunContextWrapper[Any] = RunContextWrapper(None)


def about(name: str, whose: str, description: str = "") -> ToolDescription:
    return ToolDescription(name, description, {"type": "object", "properties": {}}, 1.0, specialist=whose)


def equip(tool: ToolDescription) -> Tool:
    async def nothing(_context: object, _arguments: str) -> str:
        return ""

    return FunctionTool(tool.name, tool.description, dict(tool.schema), nothing)


def team(
    catalogue: list[ToolDescription], manner: str = "", due: bool = False, members: Team = USUAL_TEAM
) -> Agent[Any]:
    writing = ToolWriting(list, due)
    return build_team(members, lambda _tier: ScriptedModel([]), LiveTools(lambda: catalogue, equip), manner, writing)


def tools_of(agent: Agent[Any]) -> list[str]:
    return [tool.name for tool in asyncio.run(agent.get_all_tools(CONTEXT))]


def reachable(agent: Agent[Any]) -> list[str]:
    return [way.agent_name for way in ways(agent) if asyncio.run(enabled(way, agent))]


async def enabled(way: Handoff[Any, Any], agent: Agent[Any]) -> bool:
    assert callable(way.is_enabled)
    answer = way.is_enabled(CONTEXT, agent)
    return answer if isinstance(answer, bool) else await answer


def ways(agent: Agent[Any]) -> list[Handoff[Any, Any]]:
    return [way for way in agent.handoffs if isinstance(way, Handoff)]


def specialist(coordinator: Agent[Any], name: str) -> Agent[Any]:
    (way,) = [way for way in ways(coordinator) if way.agent_name == name]
    agent = asyncio.run(way.on_invoke_handoff(CONTEXT, "{}"))
    assert isinstance(agent, Agent)
    return agent


@pytest.mark.parametrize("whose", NAMES)
def test_coordinator_hands_off_tool_to_its_specialist(whose: str) -> None:
    coordinator = team([about("shared", COORDINATOR), about("a", whose)])
    assert reachable(coordinator) == [whose]
    assert tools_of(specialist(coordinator, whose)) == ["a", "shared"]
    assert tools_of(coordinator) == ["shared"]


def test_handoff_is_offered_only_to_specialists_with_tools() -> None:
    catalogue = [about("b", "robot"), about("a", "web")]
    coordinator = team(catalogue)
    assert reachable(coordinator) == ["robot", "web"]
    assert reachable(specialist(coordinator, "web")) == ["robot"]
    catalogue[:] = [about("c", "code")]
    assert reachable(coordinator) == ["code"]
    assert tools_of(specialist(coordinator, "code")) == ["c"]
    catalogue.clear()
    assert reachable(coordinator) == []


def test_each_specialist_can_hand_off_to_all_other_specialists() -> None:
    coordinator = team([about(name, name) for name in NAMES])
    assert reachable(coordinator) == NAMES
    for one in NAMES:
        assert reachable(specialist(coordinator, one)) == [name for name in NAMES if name != one]


def test_tool_object_is_reused_until_tool_changes() -> None:
    catalogue = [about("a", "web"), about("b", "web")]
    tools = LiveTools(lambda: catalogue, equip)
    first = tools.of(USUAL_TEAM["web"])
    catalogue[:] = [about("a", "web"), about("b", "web", "Does more now.")]
    second = tools.of(USUAL_TEAM["web"])
    assert first[0] is second[0]
    assert isinstance(second[1], FunctionTool)
    assert (second[1].name, second[1].description) == ("b", "Does more now.")


def told(agent: Agent[Any]) -> str:
    return str(asyncio.run(agent.get_system_prompt(CONTEXT)))


def test_instructions_are_identical_for_equal_teams() -> None:
    first, second = (team([about("a", "web")], manner="Be kind.") for _ in range(2))
    for one in (first, specialist(first, "web")):
        other = second if one is first else specialist(second, "web")
        assert told(one) == told(other)
        assert "Be kind." in told(one)


def test_instructions_of_each_agent_keep_paths_out_of_reply() -> None:
    coordinator = team([about("take_photo", "robot")])
    for agent in (coordinator, specialist(coordinator, "robot")):
        assert "Name no file path, id or tool unless the person asks for it." in told(agent)


def test_instructions_mention_tool_writing_only_while_available() -> None:
    catalogue = [about("a", "web")]
    coordinator = team(catalogue)
    before = told(coordinator)
    assert "code specialist" not in before
    catalogue.append(about("write_tool", "code"))
    for agent in (coordinator, specialist(coordinator, "web")):
        assert told(agent).endswith("hand over to the code specialist, who writes it.")
    assert "write it with write_tool" in told(specialist(coordinator, "code"))
    catalogue.pop()
    assert told(coordinator) == before


def test_request_for_new_tool_forces_code_specialist_to_call_write_tool() -> None:
    writing = ToolWriting(list, wished=True)
    catalogue = [about("write_tool", "code")]
    tools = LiveTools(lambda: catalogue, equip)
    writer = build_team(USUAL_TEAM, lambda _tier: ScriptedModel([]), tools, "", writing)
    tools_of(writer)
    assert (writer.name, writer.model_settings.tool_choice) == (CODE, "write_tool")
    writing.due = False
    tools_of(writer)
    assert writer.model_settings.tool_choice is None
    assert team(catalogue).name == COORDINATOR


def test_coordinator_handles_request_for_new_tool_if_write_tool_is_missing() -> None:
    assert team([about("a", "code")], due=True).name == COORDINATOR


def test_added_specialist_can_use_tools_of_other_specialists_and_separate_model() -> None:
    chef = Specialist("chef", "Cooks.", "You cook.", tools=("web_*", "dance"), tier="deep")
    models = {tier: ScriptedModel([]) for tier in ("", "deep")}
    catalogue = [about("web_search", "web"), about("dance", "robot"), about("say", "robot"), about("now", COORDINATOR)]
    tools = LiveTools(lambda: catalogue, equip)
    coordinator = build_team({**USUAL_TEAM, "chef": chef}, models.__getitem__, tools, "", ToolWriting(list, False))
    assert reachable(coordinator) == ["robot", "web", "chef"]
    assert tools_of(specialist(coordinator, "chef")) == ["web_search", "dance", "now"]
    assert "You cook." in told(specialist(coordinator, "chef"))
    assert (coordinator.model, specialist(coordinator, "chef").model) == (models[""], models["deep"])


def test_handoff_is_not_offered_to_specialist_whose_tools_are_all_excluded() -> None:
    members = {**USUAL_TEAM, "web": replace(USUAL_TEAM["web"], without=("web_*",))}
    assert reachable(team([about("web_search", "web"), about("dance", "robot")], members=members)) == ["robot"]


def test_instructions_omit_tool_writing_if_write_tool_is_excluded() -> None:
    members = {**USUAL_TEAM, "code": replace(USUAL_TEAM["code"], without=("write_tool",))}
    catalogue = [about("write_tool", "code"), about("a", "web")]
    coordinator = team(catalogue, due=True, members=members)
    assert coordinator.name == COORDINATOR
    assert "code specialist" not in told(coordinator)
