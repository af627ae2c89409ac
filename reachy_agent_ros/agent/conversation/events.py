"""What a turn lets others see while it runs."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.tools.protocol.tools import ToolOutcome


@dataclass(frozen=True)
class Token:
    """The next piece of the reply, as it comes."""

    text: str


@dataclass(frozen=True)
class Clause:
    """The next piece of the reply that can be spoken, counted from 0."""

    sequence: int
    text: str


@dataclass(frozen=True)
class ToolStarted:
    """A tool begins."""

    name: str
    arguments_json: str


@dataclass(frozen=True)
class ToolEnded:
    """A tool has ended."""

    name: str
    outcome: ToolOutcome


@dataclass(frozen=True)
class AgentStarted:
    """An agent works on it from now on."""

    agent: str


@dataclass(frozen=True)
class HandedOff:
    """Another agent takes over."""

    agent: str


@dataclass(frozen=True)
class Waiting:
    """The turn waits for something, told in words."""

    reason: str


@dataclass(frozen=True)
class Queued:
    """The turn waits in line; so many turns are ahead of it."""

    ahead: int


Event = Token | Clause | ToolStarted | ToolEnded | AgentStarted | HandedOff | Waiting | Queued
