"""Reversals of what the robot stores for a person: facts and notes. Also names what a person asks it to forget."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, replace

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry, normalized
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import SUFFIX, Notes
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription

ABSENT = "null"
"""Saved state of a fact or a note that does not exist."""


class FactReversal:
    """Restores the value of a remembered fact, or removes a fact that is new.

    Args:
        memory: Returns the memory.
    """

    kind = "fact"
    guarded = True

    def __init__(self, memory: Callable[[], Memory]) -> None:
        self._memory = memory

    def changed_by(self, call: ToolCall, tool: ToolDescription) -> str | None:
        """Returns the key of the fact that `remember` stores."""
        return normalized(json.loads(call.arguments_json)["key"]) if tool.name == "remember" else None

    async def saved(self, key: str, call: ToolCall) -> str | None:
        """Returns the fact as JSON."""
        return await asyncio.to_thread(self._saved, key)

    async def restore(self, key: str, saved: str, undo: ToolCall) -> str:
        """Stores the saved fact again, or erases the fact that replaced nothing."""
        await asyncio.to_thread(self._restore, key, saved)
        return "I no longer remember that." if saved == ABSENT else f"I remember what you told me before: {key}."

    def _saved(self, key: str) -> str:
        fact = self._fact(key)
        return ABSENT if fact is None else json.dumps(asdict(replace(fact, identity=None)))

    def _restore(self, key: str, saved: str) -> None:
        fields = json.loads(saved)
        before = fields and MemoryEntry(**{**fields, "kind": EntryKind(fields["kind"]), "participants": ()})
        self._memory().take_back(key, before)

    def _fact(self, key: str) -> MemoryEntry | None:
        return next((fact for fact in self._memory().entries((EntryKind.FACT,)) if fact.key == key), None)


class NoteReversal:
    """Restores the text of a note, or deletes a note that is new.

    Args:
        notes: Returns the notes.
    """

    kind = "note"
    guarded = True

    def __init__(self, notes: Callable[[], Notes]) -> None:
        self._notes = notes

    def changed_by(self, call: ToolCall, tool: ToolDescription) -> str | None:
        """Returns the name of the note that `write_note` changes."""
        return note_name(json.loads(call.arguments_json)["name"]) if tool.name == "write_note" else None

    async def saved(self, key: str, call: ToolCall) -> str | None:
        """Returns the text of the note as JSON."""
        return await asyncio.to_thread(self._saved, key)

    async def restore(self, key: str, saved: str, undo: ToolCall) -> str:
        """Writes the saved text, or deletes the note that did not exist."""
        await asyncio.to_thread(self._restore, key, saved)
        return f"The note {key} is gone again." if saved == ABSENT else f"The note {key} is as it was before."

    def _saved(self, key: str) -> str:
        try:
            return json.dumps(self._notes().read(key))
        except AgentError as error:
            if error.code is not ErrorCode.NOT_FOUND:
                raise
            return ABSENT

    def _restore(self, key: str, saved: str) -> None:
        if saved != ABSENT:
            self._notes().write(key, json.loads(saved))
        elif self._saved(key) != ABSENT:
            self._notes().delete(key)


def forgotten_by(tool: str, arguments_json: str) -> tuple[str, str | None] | None:
    """Returns the kind and key of the state that a call permanently forgets; None for any other call.

    The key is None if the call may have forgotten anything of that kind.

    Args:
        tool: Name of the tool.
        arguments_json: Arguments of a call that has succeeded.
    """
    if tool == "forget":
        arguments = json.loads(arguments_json)
        return FactReversal.kind, None if arguments.get("everything") else normalized(arguments["what"])
    if tool == "forget_note":
        return NoteReversal.kind, note_name(json.loads(arguments_json)["name"])
    return None


def note_name(name: str) -> str:
    """Returns the name of a note without its suffix."""
    return name.removesuffix(SUFFIX)
