"""Description of a demonstration, with its skill, demonstrator, time and recording quality."""

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
"""Name of the description file in the bag's folder."""

_FORMAT = 1


class Method(StrEnum):
    """Method by which a demonstration is given, in the order of the constants of `RecordDemonstration`."""

    HAND = "hand"
    TELEOPERATION = "teleoperation"


@dataclass(frozen=True)
class Quality:
    """Quality measurements of a recording.

    Attributes:
        samples: Number of messages in the bag.
        dropped: Number of messages dropped because the disk was too slow.
        rate: Rate of head poses, Hz.
        longest_gap: Longest time between two head poses, s.
        cut: Whether the end of the recording is missing, because the recorder crashed or the imported bag is truncated.
    """

    samples: int
    dropped: int = 0
    rate: float = 0.0
    longest_gap: float = 0.0
    cut: bool = False


@dataclass(frozen=True)
class Demonstration:
    """Description of a demonstration, without its data.

    Attributes:
        identifier: UUID, also used as the name of the folder.
        skill: Name of the skill.
        prompt: Description of the motion in words.
        method: Method of demonstration.
        person: Name of the demonstrator; empty if unknown.
        goal: Goal ID of the action `record_demonstration`; None if it was not recorded by this action.
        began: Start, Unix time, s.
        duration: Duration, s; None during recording, or if the recorder crashed and the bag is not repaired yet.
        quality: Quality of the recording; None in the same cases as `duration`.
        origin: Source of a demonstration that was imported, trimmed or made by a program; empty for a recording.
        digest: Result of `digest_of`; empty during recording and for recordings made by earlier versions of the
            program.
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
        """Whether the recording is complete or was repaired after a crash."""
        return self.quality is not None


_DEMONSTRATION = TypeAdapter(Demonstration)


def as_json(demonstration: Demonstration) -> str:
    """Serializes a demonstration as one line of JSON with a checksum."""
    return checked_json("demonstration", _DEMONSTRATION.dump_python(demonstration, mode="json"), _FORMAT)


def from_json(text: str) -> Demonstration:
    """Parses the result of `as_json`.

    Raises:
        AgentError: `STORAGE_FAILED` if the text is damaged or was written by a later version.
    """
    try:
        return _DEMONSTRATION.validate_json(read_checked_json("demonstration", text, _FORMAT))
    except (ValueError, ValidationError) as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"Damaged description of a demonstration: {error}.") from None


def write_description(folder: Path, demonstration: Demonstration) -> None:
    """Writes the description atomically to the bag's folder.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    with storing("Cannot write the description of the demonstration"):
        write_durably(folder / FILE, as_json(demonstration))
