"""Export and import of the memory as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.errors import AgentError, ErrorCode


class _Line(BaseModel):
    """Memory entry as a JSON object without the entry's number. Each memory file assigns its own numbers."""

    model_config = ConfigDict(strict=True)

    kind: EntryKind
    key: str
    text: str
    source: str
    created: float
    participants: tuple[str, ...]
    origin: str = ""
    """Missing in exports that predate provenance. The person is responsible for the entries that they import."""


def export_lines(memory: Memory) -> Iterator[str]:
    """Yields one JSON object for each entry, oldest first.

    Each object has kind, key, text, source, created (s since 1970), participants and origin.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    for entry in reversed(memory.entries(ALL_KINDS)):
        yield json.dumps(fields_of(entry), ensure_ascii=False)


def fields_of(entry: MemoryEntry) -> dict[str, Any]:
    """Returns the fields of an entry as a JSON object, without its number."""
    return {name: getattr(entry, name) for name in _Line.model_fields}


def import_lines(memory: Memory, lines: Iterable[str]) -> int:
    """Imports all lines of an export, or none if an error occurs. Skips entries that already exist.

    Passages of notes and documents are skipped, because they are read from their files.

    Returns:
        Number of new entries and replaced facts.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a line is invalid; the message gives its number; `STORAGE_FAILED`.
    """
    known = {replace(entry, identity=None) for entry in memory.entries((EntryKind.FACT, EntryKind.EPISODE))}
    read = [_entry(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    own = [entry for entry in dict.fromkeys(read) if entry.kind in (EntryKind.FACT, EntryKind.EPISODE)]
    return len(memory.remember(*(entry for entry in own if entry not in known)))


def _entry(number: int, line: str) -> MemoryEntry:
    try:
        return MemoryEntry(**dict(_Line.model_validate_json(line)))
    except ValidationError as error:
        complaint = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}".lstrip(": ") for one in error.errors())
        message = f"Line {number} is not a valid memory entry: {complaint}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from error
