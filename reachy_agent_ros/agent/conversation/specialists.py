"""Specialists of the agent team, each with instructions, tools and a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from reachy_agent_ros.tools.protocol.tools import ToolDescription

COORDINATOR = "coordinator"
"""Name of the first agent. Every agent also has this agent's tools, because any step may need them."""

_COORDINATOR = (
    "You talk with the person. If a specialist has the tool for a request, hand over immediately and without comment. "
    "Answer small talk and questions about things that you know yourself."
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
"""Maximum number of output tokens in an answer that contains the source of a tool."""


@dataclass(frozen=True)
class Specialist:
    """Definition of an agent that specializes in one kind of tool.

    Attributes:
        name: Name that tool descriptions refer to.
        description: Handoff description for the other agents.
        instructions: Instructions that follow the common ones.
        writing: Additional instructions while `write_tool` is available.
        longest_answer: Maximum number of output tokens; None for the endpoint's default.
        tools: Patterns of additional tools, where `*` stands for any characters.
        without: Patterns of tools that this specialist does not use.
        tier: Model tier, "quick" or "deep"; empty to choose by the difficulty of the request.
    """

    name: str
    description: str
    instructions: str
    writing: str = _GAP
    longest_answer: int | None = None
    tools: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    tier: str = ""

    def uses(self, tool: ToolDescription) -> bool:
        """Returns whether a tool belongs to this specialist. Persona and permissions may still exclude the tool."""
        if any(fnmatchcase(tool.name, pattern) for pattern in self.without):
            return False
        return tool.specialist == self.name or any(fnmatchcase(tool.name, pattern) for pattern in self.tools)


COORDINATING = Specialist(COORDINATOR, "", _COORDINATOR)
"""Agent that talks with the person."""

SPECIALISTS = (
    Specialist(
        "robot",
        "Moves the robot, takes photos, measures the robot's state, shows emotions and speaks a text on request.",
        "You are the robot specialist.",
    ),
    Specialist(
        "vision",
        "Describes what the robot sees, counts things, finds them, and watches until something comes.",
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
        "Remembers, recalls and forgets facts about the person, searches notes and documents, and sets timers, alarms "
        "and reminders.",
        "You are the memory specialist. Name the source of what you recall. Never invent a memory.",
    ),
)

Team = Mapping[str, Specialist]
"""Agents by name, the coordinator first."""

USUAL_TEAM: Team = {one.name: one for one in (COORDINATING, *SPECIALISTS)}
