"""The tools with which the agent keeps notes.

None of them replaces what stands in a note: people write there too, and a model that means to add a line may write a
new page. What is wrong is forgotten, which a person has to agree to, and written again.
"""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import Field

from reachy_agent_ros.agent.memory.entry import Kind
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.agent.provenance.label import Label, OriginKind, written
from reachy_agent_ros.agent.toolbox.own_tools import OwnTool
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall

LONGEST_SHOWN = 8_000
"""Characters of a note that are shown: 2,000 tokens, a quarter of a small model's context."""

MOST_NAMES = 30


class _Name(ToolArguments):
    name: str = Field(description="Its name: 'shopping', or with folders: 'people/maria'.", min_length=1)


class _WriteNote(_Name):
    text: str = Field(description="What to add at its end, in Markdown.", min_length=1, max_length=8_000)


def note_tools(memory: Memory, notes: Notes) -> list[OwnTool[Any]]:
    """`write_note`, `read_note` and `forget_note`.

    Args:
        memory: Where the notes' passages are.
        notes: Their folder.
    """

    async def write_note(arguments: _WriteNote, call: ToolCall) -> dict[str, Any]:
        await asyncio.to_thread(notes.add, arguments.name, arguments.text)
        return {"written": arguments.name}

    async def read_note(arguments: _Name, call: ToolCall) -> dict[str, Any]:
        text = await asyncio.to_thread(_read, memory, notes, arguments.name)
        return {"name": arguments.name, "text": text[:LONGEST_SHOWN], "whole": len(text) <= LONGEST_SHOWN}

    async def forget_note(arguments: _Name, call: ToolCall) -> dict[str, Any]:
        gone = await asyncio.to_thread(notes.delete, arguments.name)
        return {"forgotten": arguments.name, "erased": gone.erased}

    return [
        OwnTool(
            "write_note",
            "Adds to a note, or begins one: for lists and longer things that the person wants kept and may edit.",
            _WriteNote,
            write_note,
            specialist="memory",
        ),
        OwnTool(
            "read_note",
            "Reads a whole note by its name.",
            _Name,
            read_note,
            specialist="memory",
            untrusted_output=True,
            origin=lambda _result: written([Label(OriginKind.DOCUMENT)]),
        ),
        OwnTool(
            "forget_note",
            "Deletes a whole note for good, when the person asks for it.",
            _Name,
            forget_note,
            specialist="memory",
        ),
    ]


def _read(memory: Memory, notes: Notes, name: str) -> str:
    try:
        return notes.read(name)
    except AgentError as error:
        if error.code is not ErrorCode.NOT_FOUND:
            raise
        notes.synchronise()
        names = sorted(memory.files(Kind.NOTE))
        there = ", ".join(names[:MOST_NAMES]) or "none"
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no note {name!r}; there are: {there}.") from None
