"""The memory as JSON lines, to be read by its owner, kept elsewhere, or imported by another robot."""

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
    """An entry as a JSON object, without its number: another file gives it another one."""

    model_config = ConfigDict(strict=True)

    kind: EntryKind
    key: str
    text: str
    source: str
    created: float
    participants: tuple[str, ...]
    origin: str = ""
    """Exports from before provenance was stored have none; a person vouches for what they import."""


def export_lines(memory: Memory) -> Iterator[str]:
    """One JSON object an entry, the oldest first.

    It has kind, key, text, source, created (s since 1970), participants and origin.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    for entry in reversed(memory.entries(ALL_KINDS)):
        yield json.dumps(fields_of(entry), ensure_ascii=False)


def fields_of(entry: MemoryEntry) -> dict[str, Any]:
    """An entry as a JSON object, without its number."""
    return {name: getattr(entry, name) for name in _Line.model_fields}


def import_lines(memory: Memory, lines: Iterable[str]) -> int:
    """Imports the lines of `export_lines`, all of them or none; an entry that exists is not stored twice.

    Passages of notes and documents are left out: they come with their files.

    Returns:
        Number of new entries.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with the number of the line that is wrong; `STORAGE_FAILED`.
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
        message = f"Line {number} is not a memory: {complaint}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from error
