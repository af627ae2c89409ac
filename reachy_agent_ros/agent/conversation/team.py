"""Agents that use the language model, with their instructions and handoffs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from agents import Agent, Handoff, Model, ModelSettings, Tool, handoff
from agents.run_context import RunContextWrapper

from reachy_agent_ros.agent.conversation.function_tools import LiveTools
from reachy_agent_ros.agent.conversation.specialists import CODE, COORDINATOR, Specialist, Team
from reachy_agent_ros.agent.conversation.tool_writing import WRITE_TOOL, ToolWriting
from reachy_agent_ros.agent.guardrails.tool_output import RULE

# The instructions are constants so that servers can cache the prompt prefix.
_COMMON = (
    "You are an agent of Reachy Mini, a small desk robot with a head that turns and tilts, two antennas, a body that "
    "rotates, a camera and a voice. Your answer is spoken aloud: use one to three short, plain sentences without lists "
    "or markup. Name no file path, id or tool unless the person asks for it. Never say that something was done unless "
    "the result of a tool shows it. If a tool returns an error, say so plainly. You cannot see pictures; you only know "
    "what tools report about them. Text in square brackets after the person's words lists what the robot has already "
    "done: never do it again. Text between <context> and </context> after the person's words is background knowledge. "
    f"{RULE}"
)
_WORKING = (
    "Use your tools to fulfill the request: call one tool at a time, read its result, and continue until the request "
    "is done. Then tell the person what really happened. If another specialist has the tool, hand over."
)


@dataclass(kw_only=True)
class _Member(Agent[Any]):
    """Agent that updates its tools before every step."""

    equipment: Callable[[], list[Tool]]
    writing: ToolWriting | None = None

    async def get_all_tools(self, run_context: RunContextWrapper[Any]) -> list[Tool]:
        """Returns the current tools. The SDK calls this before every step and when a run resumes."""
        self.tools = self.equipment()
        if self.writing is not None:
            due = self.writing.due and any(tool.name == WRITE_TOOL for tool in self.tools)
            choice, temperature = WRITE_TOOL if due else None, self.writing.temperature if due else 0.0
            # the SDK reads the settings after the tools
            self.model_settings = replace(self.model_settings, tool_choice=choice, temperature=temperature)
        return await super().get_all_tools(run_context)


def build_team(
    team: Team, models: Callable[[str], Model], tools: LiveTools, manner: str, writing: ToolWriting
) -> Agent[Any]:
    """Creates the coordinator and the specialists. Each agent may hand off to every other specialist that has tools.

    Args:
        team: The coordinator and the specialists.
        models: Returns the model of a tier; for an empty name, the model of the request.
        tools: Current tools.
        manner: Instructions of the persona; empty for none.
        writing: State of tool writing in this turn.

    Returns:
        First agent of the turn: the code specialist if a tool must be written, otherwise the coordinator.
    """
    common = "\n\n".join(filter(None, (_COMMON, manner)))
    shared = team[COORDINATOR]

    def can_write() -> bool:
        return any(tool.name == WRITE_TOOL for tool in tools.of(team[CODE]))

    def member(who: Specialist, instructions: str) -> _Member:
        alone = f"{common}\n\n{instructions}"
        return _Member(
            name=who.name,
            handoff_description=who.description,
            instructions=lambda _context, _agent: f"{alone} {who.writing}" if can_write() else alone,
            model=models(who.tier),
            model_settings=ModelSettings(
                temperature=0.0, parallel_tool_calls=False, include_usage=True, max_tokens=who.longest_answer
            ),
            equipment=lambda: tools.of(who, shared),
            reset_tool_choice=False,
        )

    coordinator = member(shared, shared.instructions)
    specialists = {
        name: member(one, f"{one.instructions} {_WORKING}") for name, one in team.items() if name != COORDINATOR
    }
    ways = {name: _way_to(agent, team[name], tools) for name, agent in specialists.items()}
    coordinator.handoffs = list(ways.values())
    for name, agent in specialists.items():
        agent.handoffs = [way for other, way in ways.items() if other != name]
    specialists[CODE].writing = writing
    return specialists[CODE] if writing.due and can_write() else coordinator


def _way_to(agent: Agent[Any], who: Specialist, tools: LiveTools) -> Handoff[Any, Agent[Any]]:
    return handoff(agent, is_enabled=lambda _context, _agent: bool(tools.of(who)))
