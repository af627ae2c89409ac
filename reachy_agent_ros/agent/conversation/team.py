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
"""Name of the first agent. Every agent also has this agent's tools, because every step may need them."""

# The instructions are constants so that servers can cache the prompt prefix.
_COMMON = (
    "You are an agent of Reachy Mini, a small desk robot with a head that turns and tilts, two antennas, a body that "
    "rotates, a camera and a voice. Your answer is spoken aloud: use one to three short, plain sentences without lists "
    "or markup. Never say that something was done unless the result of a tool shows it. If a tool returns an error, "
    "say so plainly. You cannot see pictures; you only know what tools report about them. Text in square brackets "
    "after the person's words lists what the robot has already done: never do it again. Text between <context> and "
    f"</context> after the person's words is background knowledge. {RULE}"
)
_COORDINATOR = (
    "You talk with the person. If a specialist has the tool for a request, hand over immediately and without comment. "
    "Answer small talk and questions about things that you know yourself."
)
_WORKING = (
    "Use your tools to fulfill the request: call one tool at a time, read its result, and continue until the request "
    "is done. Then tell the person what really happened. If another specialist has the tool, hand over."
)
_GAP = (
    "If no specialist has a tool for the request and one can be written in Python, hand over to the code specialist, "
    "who writes it."
)
_WRITING = (
    "If no tool does what is requested, or the person asks for a new tool, write it with write_tool. Source code in "
    "your answer does not create a tool. If the result of write_tool reports a problem, correct the source and call "
    "write_tool again with the whole source, at most three times. Then tell the person why it does not work. If the "
    "new tool waits for a person's review, say so. Once it is registered, use it immediately for the request, or hand "
    "over to the specialist who has it."
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
        "Moves the robot, takes photos, measures the robot's state, shows emotions and speaks a text on request.",
        "You are the robot specialist.",
    ),
    Specialist(
        "vision",
        "Describes what the robot sees, counts things and finds them.",
        "You are the vision specialist. You only know what tools report about the picture.",
    ),
    Specialist(
        "web",
        "Searches the web for information that the other agents do not have.",
        "You are the web specialist. Name the source of your information.",
    ),
    Specialist(
        CODE,
        "Writes new tools for the robot, and uses the tools that were written and tools from other programs.",
        "You are the code specialist.",
        _WRITING,
        LONGEST_SOURCE,
    ),
    Specialist(
        "memory",
        "Remembers, recalls and forgets facts about the person, and searches notes and documents.",
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
