"""The memory as JSON lines, to be read by its owner, kept elsewhere, or taken in by another one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_FIELDS: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "key": str,
    "source": str,
    "created": (int, float),
    "participants": list,
    "origin": str,
}


def export_lines(memory: Memory) -> Iterator[str]:
    """One JSON object an entry, the oldest first.

    It has kind, key, text, source, created (s since 1970), participants and origin.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    for entry in reversed(memory.entries(ALL_KINDS)):
        yield json.dumps(fields_of(entry), ensure_ascii=False)


def fields_of(entry: MemoryEntry) -> dict[str, Any]:
    """An entry as a JSON object, without its number: that is another one in another file."""
    return {
        "kind": entry.kind,
        "key": entry.key,
        "text": entry.text,
        "source": entry.source,
        "created": entry.created,
        "participants": list(entry.participants),
        "origin": entry.origin,
    }


def import_lines(memory: Memory, lines: Iterable[str]) -> int:
    """Takes in what `export_lines` gave, all of it or nothing; what is there already is not stored twice.

    Passages of notes and documents are left out: they come with their files.

    Returns:
        Entries that were new.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with the number of the line that is wrong; `STORAGE_FAILED`.
    """
    known = {replace(entry, identity=None) for entry in memory.entries((EntryKind.FACT, EntryKind.EPISODE))}
    read = [_entry(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    own = [entry for entry in dict.fromkeys(read) if entry.kind in (EntryKind.FACT, EntryKind.EPISODE)]
    return len(memory.remember(*(entry for entry in own if entry not in known)))


def _entry(number: int, line: str) -> MemoryEntry:
    try:
        row = json.loads(line)
        # Exports from before provenance was kept have none; a person vouches for what they take in.
        values = {name: row.get(name, "") if name == "origin" else row[name] for name in _FIELDS}
        kind = EntryKind(row["kind"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _refusal(number, repr(error)) from error
    for name, form in _FIELDS.items():
        if not isinstance(values[name], form) or isinstance(values[name], bool):
            raise _refusal(number, f"its {name} is of another form")
    if not all(isinstance(name, str) for name in values["participants"]):
        raise _refusal(number, "its participants are no names")
    try:
        values["created"] = float(values["created"])
    except OverflowError:
        raise _refusal(number, "its time is beyond all times") from None
    return MemoryEntry(kind, **{**values, "participants": tuple(values["participants"])})


def _refusal(number: int, why: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"Line {number} is no memory: {why}.")
