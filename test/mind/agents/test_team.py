from typing import Any

import pytest
from agents import Agent, FunctionTool
from agents.testing import ScriptedModel

from reachy_agent_ros.mind.agents.team import COORDINATOR, SPECIALISTS, Equipment, build_team

NAMES = [specialist.name for specialist in SPECIALISTS]


def tool(name: str) -> FunctionTool:
    async def nothing(_context: object, _arguments: str) -> str:
        return ""

    return FunctionTool(name, name, {"type": "object", "properties": {}}, nothing)


def team(*equipment: tuple[str, str], manner: str = "") -> Agent[Any]:
    return build_team(ScriptedModel([]), [Equipment(tool(name), whose) for name, whose in equipment], manner)


def names(agents: Any) -> list[str]:
    return [agent.name for agent in agents]


def tools_of(agent: Agent[Any]) -> list[str]:
    return [tool.name for tool in agent.tools]


@pytest.mark.parametrize("whose", NAMES)
def test_a_tool_belongs_to_its_specialist(whose: str) -> None:
    coordinator = team(("a", whose), ("shared", COORDINATOR))
    (specialist,) = coordinator.handoffs
    assert isinstance(specialist, Agent)
    assert specialist.name == whose
    assert tools_of(specialist) == ["a", "shared"]
    assert tools_of(coordinator) == ["shared"]


def test_whoever_has_no_tools_is_not_there() -> None:
    assert names(team(("a", "web"), ("b", "robot")).handoffs) == ["robot", "web"]
    assert team().handoffs == []


def test_specialists_hand_over_to_one_another_and_never_to_themselves() -> None:
    coordinator = team(*((name, name) for name in NAMES))
    assert names(coordinator.handoffs) == NAMES
    for specialist in coordinator.handoffs:
        assert isinstance(specialist, Agent)
        assert names(specialist.handoffs) == [name for name in NAMES if name != specialist.name]


def test_what_an_agent_is_told_is_the_same_to_the_byte() -> None:
    first, second = (team(("a", "web"), manner="Be kind.") for _ in range(2))
    assert first.instructions == second.instructions
    assert "Be kind." in str(first.instructions)
