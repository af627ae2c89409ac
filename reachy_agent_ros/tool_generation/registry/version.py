"""One version of a tool, as the registry keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from reachy_agent_ros.tool_generation.limits import Limits
from reachy_agent_ros.tool_generation.need import Need
from reachy_agent_ros.tool_generation.registry.record import Record


class State(StrEnum):
    """Whether a version may run; mirror of `ToolVersion.state`."""

    WAITING = "waiting"
    """For a person's review."""
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Version:
    """A source that passed every stage, and what is known of it.

    Attributes:
        number: Counts up from 1; never given twice under one name, so that a yes is for the text it was asked about.
        digest: SHA-256 of the source, hexadecimal.
        created: When it was registered, s since the epoch.
        state: Whether it may run.
        record: Where it comes from.
        summary: What it does, on one line.
        needs: What it names of the world.
        limits: What a run may use.
        comment: What the person said who reviewed it.
        decided_by: Who reviewed it, and in which way; empty if nobody did.
        forgiven: Runs it had when a person enabled the tool again: failures among them no longer speak against it.
    """

    number: int
    digest: str
    created: float
    state: State
    record: Record
    summary: str
    needs: frozenset[Need]
    limits: Limits
    comment: str = ""
    decided_by: str = ""
    forgiven: int = 0
