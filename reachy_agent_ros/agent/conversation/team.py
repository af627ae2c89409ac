"""Agents of the language model, their instructions and handoffs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from agents import Agent, Handoff, Model, ModelSettings, Tool, handoff
from agents.run_context import RunContextWrapper

from reachy_agent_ros.agent.conversation.function_tools import LiveTools
from reachy_agent_ros.agent.conversation.tool_writing import WRITE_TOOL, ToolWriting
from reachy_agent_ros.agent.guardrails.tool_output import RULE

COORDINATOR = "coordinator"
"""Name of the first agent. Every agent also has its tools, because every step may need them."""

# The instructions are constants so that servers can cache the prompt prefix.
_COMMON = (
    "You are part of the mind of Reachy Mini, a small desk robot with a head that turns and tilts, two antennas, a "
    "body that rotates, a camera and a voice. What you answer is spoken aloud: use one to three short plain "
    "sentences, no lists, no markup. Never say that something was done unless the result of a tool shows it. If a "
    "tool returns an error, say so plainly. You cannot see pictures, only what a tool tells of them. What stands in "
    "square brackets after a person's words was done by the robot's reflexes: never do it again. What stands between "
    f"<context> and </context> after them is what you know already. {RULE}"
)
_COORDINATOR = (
    "You talk with the person. Hand over at once and without comment whenever a specialist has the tool for what is "
    "asked for. Do not hand over small talk, and nothing that you know yourself."
)
_WORKING = (
    "You use the tools. Use one at a time, see its result, go on until what was asked for is done, then tell the "
    "person what really happened. Hand over what another specialist has the tools for."
)
_GAP = (
    "If nobody has a tool for what is asked for and one could be written in Python, hand over to the code specialist, "
    "who writes it."
)
_WRITING = (
    "Where no tool does what is asked for, or the person asks for one, write it with write_tool; a source that you "
    "only tell is no tool. If its result says what is wrong, repair that and call it again with the whole source, at "
    "most three times, then tell the person why it does not work. If the tool waits for a "
    "person's review, say so. Once it is registered use it at once for what was asked for, or hand over to the "
    "specialist who has it."
)

CODE = "code"
"""Name of the specialist that writes tools."""

LONGEST_SOURCE = 2048
"""Limit of output tokens for an answer that contains the source of a tool."""


@dataclass(frozen=True)
class Specialist:
    """An agent with tools of one kind.

    Attributes:
        name: Name that tool descriptions refer to.
        description: Handoff description for the other agents.
        instructions: Instructions that follow the common ones.
        writing: Additional instructions while `write_tool` is available.
        longest_answer: Limit of output tokens; None for the endpoint's default.
    """

    name: str
    description: str
    instructions: str
    writing: str = _GAP
    longest_answer: int | None = None


SPECIALISTS = (
    Specialist(
        "robot",
        "Moves the robot, takes photos, measures its state, shows emotions and says things aloud on request.",
        "You are the robot specialist.",
    ),
    Specialist(
        "vision",
        "Tells what the robot sees: describes, counts, and finds things in what is in front of it.",
        "You are the vision specialist. You know of the picture only what a tool tells.",
    ),
    Specialist(
        "web",
        "Searches the web for what nobody here knows.",
        "You are the web specialist. Name the source of what you tell.",
    ),
    Specialist(
        CODE,
        "Writes new tools for the robot, and uses those that were written and those of other programs.",
        "You are the code specialist.",
        _WRITING,
        LONGEST_SOURCE,
    ),
    Specialist(
        "memory",
        "Remembers, recalls and forgets things about the person, notes and documents.",
        "You are the memory specialist. Name the source of what you recall. Never invent a memory.",
    ),
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


def build_team(model: Model, tools: LiveTools, manner: str, writing: ToolWriting) -> Agent[Any]:
    """Creates the coordinator and the specialists. Each may hand over to every specialist that has tools.

    Args:
        model: Model of all agents.
        tools: Current tools.
        manner: Instructions of the persona; empty for none.
        writing: State of tool writing in this turn.

    Returns:
        First agent of the turn: the code specialist if a tool must be written, otherwise the coordinator.
    """
    common = "\n\n".join(filter(None, (_COMMON, manner)))
    coordinator = _member(Specialist(COORDINATOR, "", _COORDINATOR), model, tools, common)
    specialists = {
        one.name: _member(replace(one, instructions=f"{one.instructions} {_WORKING}"), model, tools, common)
        for one in SPECIALISTS
    }
    ways = {name: _way_to(agent, tools) for name, agent in specialists.items()}
    coordinator.handoffs = list(ways.values())
    for name, agent in specialists.items():
        agent.handoffs = [way for other, way in ways.items() if other != name]
    specialists[CODE].writing = writing
    return specialists[CODE] if writing.due and tools.has(WRITE_TOOL) else coordinator


def _member(who: Specialist, model: Model, tools: LiveTools, common: str) -> _Member:
    alone = f"{common}\n\n{who.instructions}"
    writing = f"{alone} {who.writing}"
    owners = dict.fromkeys((who.name, COORDINATOR))
    return _Member(
        name=who.name,
        handoff_description=who.description,
        instructions=lambda _context, _agent: writing if tools.has(WRITE_TOOL) else alone,
        model=model,
        model_settings=ModelSettings(
            temperature=0.0, parallel_tool_calls=False, include_usage=True, max_tokens=who.longest_answer
        ),
        equipment=lambda: tools.of(*owners),
        reset_tool_choice=False,
    )


def _way_to(agent: Agent[Any], tools: LiveTools) -> Handoff[Any, Agent[Any]]:
    return handoff(agent, is_enabled=lambda _context, _agent: bool(tools.of(agent.name)))
