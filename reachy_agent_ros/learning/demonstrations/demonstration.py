"""One demonstration: whose, of what, when, and how good its record is."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.checked_json import checked_json, read_checked_json
from reachy_agent_ros.storage.storing import storing

FILE = "demonstration.json"
"""Beside the bag's own files."""

_FORMAT = 1


class Method(StrEnum):
    """How it was shown; in the order of the constants of `RecordDemonstration`."""

    HAND = "hand"
    TELEOPERATION = "teleoperation"


@dataclass(frozen=True)
class Quality:
    """How good the record is.

    Attributes:
        samples: Messages in the bag.
        dropped: Messages that came faster than the disk took them.
        rate: States a second, Hz.
        longest_gap: Between two states, s.
        cut: Whether its end is missing, because whoever recorded it died.
    """

    samples: int
    dropped: int = 0
    rate: float = 0.0
    longest_gap: float = 0.0
    cut: bool = False


@dataclass(frozen=True)
class Demonstration:
    """What is known of one.

    Attributes:
        identifier: Name of its folder: a UUID.
        skill: Name of the skill.
        prompt: What is shown, in words.
        method: How.
        person: Who shows it; empty where nobody said.
        goal: The goal's id, of `record_demonstration`; None for an import.
        began: Unix time, s.
        duration: s; None while it is recorded, or where its recorder died.
        quality: None likewise.
        origin: What it was made from; empty where it was recorded.
        digest: Of the bag, by `digest_of`; empty while it is recorded, and where an earlier version recorded it.
    """

    identifier: str
    skill: str
    prompt: str
    method: Method
    person: str
    goal: uuid.UUID | None
    began: float
    duration: float | None = None
    quality: Quality | None = None
    origin: str = ""
    digest: str = ""

    @property
    def ended(self) -> bool:
        """Whether it was recorded to its end, or what is left of it was found."""
        return self.quality is not None


_DEMONSTRATION = TypeAdapter(Demonstration)


def as_json(demonstration: Demonstration) -> str:
    """One line of JSON, with a check sum."""
    return checked_json("demonstration", _DEMONSTRATION.dump_python(demonstration, mode="json"), _FORMAT)


def from_json(text: str) -> Demonstration:
    """What `as_json` wrote.

    Raises:
        AgentError: `STORAGE_FAILED`: it is damaged, or a later version wrote it.
    """
    try:
        return _DEMONSTRATION.validate_json(read_checked_json("demonstration", text, _FORMAT))
    except (ValueError, ValidationError) as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"The demonstration's description is damaged: {error}.") from None


def write_description(folder: Path, demonstration: Demonstration) -> None:
    """Puts it beside the bag, all of it or nothing.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    with storing("The demonstration's description cannot be written"):
        write_durably(folder / FILE, as_json(demonstration))
