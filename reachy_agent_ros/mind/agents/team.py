"""The agents and who hands over to whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agents import Agent, Handoff, Model, ModelSettings, Tool, handoff
from agents.run_context import RunContextWrapper

from reachy_agent_ros.mind.agents.live_tools import LiveTools
from reachy_agent_ros.mind.guardrails.untrusted_text import RULE

COORDINATOR = "coordinator"
"""Whoever has to do a step may need its tools, so every agent has them."""

# The instructions are constants: a prompt that begins with the same bytes is read from the server's cache.
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


@dataclass(frozen=True)
class Specialist:
    """An agent with tools of one kind.

    Attributes:
        name: As tools name it.
        description: When the others hand over to it.
        instructions: What it is, before what all of them do.
    """

    name: str
    description: str
    instructions: str


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
        "code",
        "Writes programs and uses the tools of other programs.",
        "You are the code specialist.",
    ),
    Specialist(
        "memory",
        "Remembers, recalls and forgets things about the person, notes and documents.",
        "You are the memory specialist. Name the source of what you recall. Never invent a memory.",
    ),
)


@dataclass(kw_only=True)
class _Member(Agent[Any]):
    """An agent that looks before every step which tools it has."""

    equipment: Callable[[], list[Tool]]

    async def get_all_tools(self, run_context: RunContextWrapper[Any]) -> list[Tool]:
        """As the SDK asks for them, before a step and when a run that waited goes on."""
        self.tools = self.equipment()
        return await super().get_all_tools(run_context)


def build_team(model: Model, tools: LiveTools, manner: str) -> Agent[Any]:
    """The coordinator and the specialists, all of whom may hand over to whoever has tools at the moment.

    Args:
        model: For all.
        tools: Theirs, as they come and go.
        manner: Who the robot is and how it speaks; empty for nothing special.

    Returns:
        The agent every turn starts with.
    """
    settings = ModelSettings(temperature=0.0, parallel_tool_calls=False, include_usage=True)
    common = "\n\n".join(filter(None, (_COMMON, manner)))

    def member(name: str, instructions: str, *owners: str, description: str | None = None) -> _Member:
        return _Member(
            name=name,
            handoff_description=description,
            instructions=f"{common}\n\n{instructions}",
            model=model,
            model_settings=settings,
            equipment=lambda: tools.of(*owners),
        )

    def way_to(name: str, agent: Agent[Any]) -> Handoff[Any, Agent[Any]]:
        return handoff(agent, is_enabled=lambda _context, _agent: bool(tools.of(name)))

    specialists = {
        one.name: member(one.name, f"{one.instructions} {_WORKING}", one.name, COORDINATOR, description=one.description)
        for one in SPECIALISTS
    }
    ways = {name: way_to(name, agent) for name, agent in specialists.items()}
    for name, agent in specialists.items():
        agent.handoffs = [way for other, way in ways.items() if other != name]
    coordinator = member(COORDINATOR, _COORDINATOR, COORDINATOR)
    coordinator.handoffs = list(ways.values())
    return coordinator
