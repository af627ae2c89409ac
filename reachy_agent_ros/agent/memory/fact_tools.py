"""The tools with which the agent remembers what it is told, and forgets it."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import Field

from reachy_agent_ros.agent.memory.entry import Entry, Kind
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.provenance.label import read, remembered, written
from reachy_agent_ros.agent.toolbox.own_tools import OwnTool
from reachy_agent_ros.core.arguments import ToolArguments, WholeNumber
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall

SHOWN = 60
"""Characters of an entry that show a person which one is meant."""


class _Remember(ToolArguments):
    key: str = Field(
        description="What it is about, the same each time: 'favourite colour'.", min_length=1, max_length=100
    )
    text: str = Field(description="What is to be remembered, in the person's words.", min_length=1, max_length=2000)


class _Forget(ToolArguments):
    what: str = Field(
        description="A fact's key; or, with a number, the first words of that entry, for whoever has to agree.",
        min_length=1,
        max_length=300,
    )
    number: WholeNumber = Field(default=0, description="Number that recall gave; 0 for a fact by its key.", ge=0)


def fact_tools(memory: Memory) -> list[OwnTool[Any]]:
    """`remember` and `forget`.

    Args:
        memory: Where it is kept.
    """

    async def remember(arguments: _Remember, call: ToolCall) -> dict[str, Any]:
        origin = written(remembered(read(call.origin)))
        source = f"{'kept' if origin else 'told'} in conversation {call.session_id}".rstrip()
        fact = Entry(Kind.FACT, arguments.text, arguments.key, source, origin=origin)
        stored = (await asyncio.to_thread(memory.remember, fact))[0]
        return {"remembered": stored.key, "text": stored.text, "number": stored.identity}

    async def forget(arguments: _Forget, call: ToolCall) -> dict[str, Any]:
        return await asyncio.to_thread(_forget, memory, arguments)

    return [
        OwnTool(
            "remember",
            "Remembers for good what the person tells of themselves or asks to be remembered. A new value takes the "
            "place of the old one of its key.",
            _Remember,
            remember,
            specialist="memory",
        ),
        OwnTool(
            "forget",
            "Forgets one remembered thing for good, when the person asks for it: a fact by its key, an episode by the "
            "number that recall gave.",
            _Forget,
            forget,
            specialist="memory",
        ),
    ]


def _forget(memory: Memory, arguments: _Forget) -> dict[str, Any]:
    what, number = arguments.what, arguments.number
    entry = _numbered(memory, number, what) if number else _fact(memory, what)
    gone = memory.forget([entry.identity or 0])  # never 0 where it comes from the file
    mentions = _mentions(memory, entry.text)
    # Not what it said: results go to the conversation and the trace, which would keep it.
    return {"forgotten": entry.key or f"{entry.kind} {entry.identity}", "erased": gone.erased, "also_in": mentions}


def _fact(memory: Memory, what: str) -> Entry:
    key = _plain(what)
    found = next((fact for fact in memory.entries((Kind.FACT,)) if fact.key == key), None)
    if found is not None:
        return found
    near = [one.entry for one in memory.recall(what, (Kind.FACT, Kind.EPISODE), 3)]
    shown = "; ".join(f"number {entry.identity}: {_shown(entry)!r}" for entry in near)
    reason = f"Nothing was forgotten, because no fact is called {what!r}. Nearest are {shown or 'none'}."
    raise AgentError(ErrorCode.NOT_FOUND, reason)


def _numbered(memory: Memory, number: int, what: str) -> Entry:
    """The entry of the number, if it says what the person who has to agree is shown."""
    entry = memory.entry(number)
    if entry is None:
        raise AgentError(ErrorCode.NOT_FOUND, f"Nothing was forgotten: there is no entry {number}.")
    words = _plain(what).rstrip(".…")
    said = [_plain(text) for text in (entry.key, entry.text, entry.sentence)]
    if words not in said and not any(text.startswith(words) and len(words) >= SHOWN / 4 for text in said):
        reason = f"Nothing was forgotten: entry {entry.identity} begins {_shown(entry)!r}; say these words."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)
    return entry


def _mentions(memory: Memory, text: str) -> list[str]:
    """Where else the same words stand, for the person to decide."""
    found = memory.recall(text, limit=20)
    return [f"{one.entry.kind} {one.entry.identity}" for one in found if _plain(text) in _plain(one.entry.text)]


def _shown(entry: Entry) -> str:
    return " ".join(entry.sentence.split())[:SHOWN]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
