"""The agents and who hands over to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents import Agent, Model, ModelSettings, Tool

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


@dataclass(frozen=True)
class Equipment:
    """A tool and whose it is.

    Attributes:
        tool: The tool.
        specialist: Name of one, or `COORDINATOR`, whose tools every agent has.
    """

    tool: Tool
    specialist: str


def build_team(model: Model, equipment: Sequence[Equipment], manner: str) -> Agent[Any]:
    """The coordinator, and the specialists who have tools, all of whom may hand over to one another.

    Args:
        model: For all.
        equipment: The tools.
        manner: Who the robot is and how it speaks; empty for nothing special.

    Returns:
        The agent every turn starts with.
    """
    settings = ModelSettings(temperature=0.0, parallel_tool_calls=False, include_usage=True)
    common = "\n\n".join(filter(None, (_COMMON, manner)))
    shared = [one.tool for one in equipment if one.specialist == COORDINATOR]
    specialists: list[Agent[Any]] = [
        Agent(
            name=specialist.name,
            handoff_description=specialist.description,
            instructions=f"{common}\n\n{specialist.instructions} {_WORKING}",
            model=model,
            model_settings=settings,
            tools=[*tools, *shared],
        )
        for specialist in SPECIALISTS
        if (tools := [one.tool for one in equipment if one.specialist == specialist.name])
    ]
    for agent in specialists:
        agent.handoffs = [other for other in specialists if other is not agent]
    return Agent(
        name=COORDINATOR,
        instructions=f"{common}\n\n{_COORDINATOR}",
        model=model,
        model_settings=settings,
        tools=shared,
        handoffs=list(specialists),
    )
