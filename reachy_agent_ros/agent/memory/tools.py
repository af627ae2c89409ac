"""Tools of the memory specialist, which store, find and remove facts, search documents, and edit notes.

No tool adds a document: people do not dictate paths, and a web page could make a model read any of the person's text
files. Use `reachy-agent memory documents add`.

No tool replaces the text of a note: people edit notes too, and a model that is asked to add a line may rewrite the
complete page. To correct a note, the model deletes it, which needs a person's approval, and writes it again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind, MemoryEntry, RecalledEntry, normalized
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.agent.memory.search import LEAST_RELEVANT
from reachy_agent_ros.agent.provenance.label import Label, OriginKind, read, remembered, written
from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.core.arguments import ToolArguments, WholeNumber
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.facts.fact_language import fact_languages
from reachy_agent_ros.nlu.personal_facts import said_to_person
from reachy_agent_ros.tools.protocol.tools import ToolCall

_SHOWN = 60
"""Number of characters of an entry that are enough for a person to recognize it."""

_LONGEST_RESULT = 800
"""Maximum length of a result, characters: a complete passage of a file, or enough of another entry."""

_LONGEST_SHOWN_NOTE = 8_000
"""Maximum length of a note in a result, characters: 2,000 tokens, a quarter of a small model's context."""

_MOST_NAMES = 30


def memory_tools(memory: Memory, notes: Notes) -> list[OwnTool[Any]]:
    """Returns the tools of the memory specialist.

    Args:
        memory: Memory of the agent.
        notes: Notes of the agent.
    """
    return [*_fact_tools(memory), *_recall_tools(memory, notes), *_note_tools(memory, notes)]


class _Remember(ToolArguments):
    key: str = Field(
        description="Subject of the fact, such as 'favorite color'; use the same key each time.",
        min_length=1,
        max_length=100,
    )
    text: str = Field(description="Fact to remember, in the person's words.", min_length=1, max_length=2000)


class _Forget(ToolArguments):
    what: str = Field(
        description="Key of a fact; with a number, the first words of that entry, which a person is asked to approve; "
        "with everything, the name of a person, animal or thing.",
        min_length=1,
        max_length=300,
    )
    everything: bool = Field(
        default=False, description="Whether to forget every fact and episode about the person, animal or thing."
    )
    number: WholeNumber = Field(
        default=0, description="Number of the entry as reported by recall; 0 for a fact by its key.", ge=0
    )


def _fact_tools(memory: Memory) -> list[OwnTool[Any]]:
    """Returns the tools `remember` and `forget`."""

    async def remember(arguments: _Remember, call: ToolCall) -> dict[str, Any]:
        origin = written(remembered(read(call.origin)))
        speaker = f"by {call.asked_by} " if call.asked_by else ""
        source = f"{'kept' if origin else 'told'} {speaker}in conversation {call.session_id}".rstrip()
        fact = MemoryEntry(EntryKind.FACT, arguments.text, arguments.key, source, origin=origin)
        stored = (await asyncio.to_thread(memory.remember, fact))[0]
        return {"remembered": stored.key, "text": stored.text, "number": stored.identity}

    async def forget(arguments: _Forget, call: ToolCall) -> dict[str, Any]:
        if arguments.everything:
            return await asyncio.to_thread(_forget_everything, memory, arguments.what, call.language or "en")
        return await asyncio.to_thread(_forget, memory, arguments)

    return [
        OwnTool(
            "remember",
            "Remembers permanently what the person says about themselves or asks to remember. A new value replaces "
            "the old value of its key.",
            _Remember,
            remember,
            specialist="memory",
        ),
        OwnTool(
            "forget",
            "Permanently forgets one remembered entry if the person asks for it: a fact by its key, an episode by the "
            "number that recall reported, or everything about somebody or something.",
            _Forget,
            forget,
            specialist="memory",
        ),
    ]


def _forget(memory: Memory, arguments: _Forget) -> dict[str, Any]:
    what, number = arguments.what, arguments.number
    entry = _numbered(memory, number, what) if number else _fact(memory, what)
    gone = memory.forget([entry.identity or 0])  # never 0, because the entry comes from the file
    mentions = _mentions(memory, entry.text)
    # The result must not repeat the text, because the conversation and the trace would keep it.
    return {"forgotten": entry.key or f"{entry.kind} {entry.identity}", "erased": gone.erased, "also_in": mentions}


def _forget_everything(memory: Memory, name: str, language: str) -> dict[str, Any]:
    replies = fact_languages()[language].words.replies
    spoken = said_to_person(name) if language == "en" else name
    found = memory.knowledge.mentions(name)
    gone = memory.forget([entry.identity or 0 for entry in found])  # never 0, because the entries come from the file
    worded = replies.forgotten if found else replies.nothing_known
    return {"forgotten": gone.count, "erased": gone.erased, "sentence": worded.format(name=spoken)}


def _fact(memory: Memory, what: str) -> MemoryEntry:
    key = normalized(what)
    found = next((fact for fact in memory.entries((EntryKind.FACT,)) if fact.key == key), None)
    if found is not None:
        return found
    near = [one.entry for one in memory.recall(what, (EntryKind.FACT, EntryKind.EPISODE), 3)]
    shown = "; ".join(f"number {entry.identity}: {_shown(entry)!r}" for entry in near)
    reason = f"Nothing was forgotten, because no fact is called {what!r}. Most similar: {shown or 'none'}."
    raise AgentError(ErrorCode.NOT_FOUND, reason)


def _numbered(memory: Memory, number: int, what: str) -> MemoryEntry:
    """Returns the entry with a number. Raises an error if its text does not begin with the text that was approved.

    `what` is the approved text: the key, the text or the sentence of the entry, or a sufficiently long beginning of it.
    """
    entry = memory.entry(number)
    if entry is None:
        raise AgentError(ErrorCode.NOT_FOUND, f"Nothing was forgotten: there is no entry {number}.")
    words = normalized(what).rstrip(".…")
    said = [normalized(text) for text in (entry.key, entry.text, entry.sentence)]
    if words not in said and not any(text.startswith(words) and len(words) >= _SHOWN / 4 for text in said):
        reason = f"Nothing was forgotten: entry {entry.identity} begins with {_shown(entry)!r}; say these words."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)
    return entry


def _mentions(memory: Memory, text: str) -> list[str]:
    """Returns the kinds and numbers of entries that contain the text, so that the user can review them."""
    found = memory.recall(text, limit=20)
    return [f"{one.entry.kind} {one.entry.identity}" for one in found if normalized(text) in normalized(one.entry.text)]


def _shown(entry: MemoryEntry) -> str:
    return " ".join(entry.sentence.split())[:_SHOWN]


class _Recall(ToolArguments):
    query: str = Field(description="Question or words to search for.", min_length=1, max_length=500)
    kinds: list[Literal["fact", "episode", "note", "document"]] = Field(
        default=[], description="Kinds of entries to search: facts, earlier tasks, notes, documents; all if empty."
    )
    limit: WholeNumber = Field(default=5, description="Maximum number of results.", ge=1, le=10)


class _SearchDocuments(ToolArguments):
    query: str = Field(description="Question or words to search for.", min_length=1, max_length=500)
    limit: WholeNumber = Field(default=5, description="Maximum number of results.", ge=1, le=10)


def _recall_tools(memory: Memory, notes: Notes) -> list[OwnTool[Any]]:
    """Returns the tools `recall` and `search_documents`.

    Args:
        memory: Memory to search.
        notes: Notes, which are synchronized before `recall` because people may have edited them.
    """

    async def recall(arguments: _Recall, call: ToolCall) -> dict[str, Any]:
        kinds = tuple(EntryKind(kind) for kind in arguments.kinds) or ALL_KINDS
        return await asyncio.to_thread(_recall, memory, notes, arguments.query, kinds, arguments.limit)

    async def search_documents(arguments: _SearchDocuments, call: ToolCall) -> dict[str, Any]:
        found = await asyncio.to_thread(memory.recall, arguments.query, (EntryKind.DOCUMENT,), arguments.limit)
        return {"results": [_result(one) for one in found]}

    return [
        OwnTool(
            "recall",
            "Searches the memory: facts about the person, earlier tasks, notes and documents. Use it before you say "
            f"that you do not know something. A score below {LEAST_RELEVANT} usually means that nothing matches. If "
            "stated is given, so many of the first results are the answer.",
            _Recall,
            recall,
            specialist="memory",
            untrusted_output=True,
            origin=_origin,
        ),
        OwnTool(
            "search_documents",
            "Searches the person's documents. Results have file, heading and lines; name them in your answer.",
            _SearchDocuments,
            search_documents,
            specialist="memory",
            untrusted_output=True,
            origin=_origin,
        ),
    ]


def _recall(memory: Memory, notes: Notes, query: str, kinds: Sequence[EntryKind], limit: int) -> dict[str, Any]:
    changes = notes.synchronize()
    stated = memory.knowledge.answer(query, limit) if EntryKind.FACT in kinds else None
    known = {fact.identity: RecalledEntry(fact, 1.0, 1.0) for fact in stated or ()}
    similar = {one.entry.identity: one for one in memory.recall(query, kinds, limit)}
    results = [_result(one) for one in (known | {**similar, **known}).values()][: max(limit, len(known))]
    answer = {} if stated is None else {"stated": len(known)}
    return {"results": results} | answer | ({"unreadable_notes": sorted(changes.refused)} if changes.refused else {})


def _origin(result: Mapping[str, Any]) -> str:
    """Returns the provenance labels of a tool result. The names of unreadable notes also count as document text."""
    found = {label for one in result["results"] for label in read(one["origin"])}
    return written(found | ({Label(OriginKind.DOCUMENT)} if "unreadable_notes" in result else set()))


def _result(found: RecalledEntry) -> dict[str, Any]:
    entry = found.entry
    return {
        "number": entry.identity,
        "kind": entry.kind,
        "text": entry.sentence[:_LONGEST_RESULT],
        "source": entry.source,
        "origin": entry.origin,
        "date": f"{datetime.fromtimestamp(entry.created):%Y-%m-%d}",
        "score": round(found.score, 2),
    }


class _Name(ToolArguments):
    name: str = Field(
        description="Name of the note, such as 'shopping', or with folders, such as 'people/maria'.", min_length=1
    )


class _WriteNote(_Name):
    text: str = Field(description="Markdown text to add at the end of the note.", min_length=1, max_length=8_000)


def _note_tools(memory: Memory, notes: Notes) -> list[OwnTool[Any]]:
    """Returns the tools `write_note`, `read_note` and `forget_note`."""

    async def write_note(arguments: _WriteNote, call: ToolCall) -> dict[str, Any]:
        await asyncio.to_thread(notes.add, arguments.name, arguments.text)
        return {"written": arguments.name}

    async def read_note(arguments: _Name, call: ToolCall) -> dict[str, Any]:
        text = await asyncio.to_thread(_read_note, memory, notes, arguments.name)
        return {"name": arguments.name, "text": text[:_LONGEST_SHOWN_NOTE], "whole": len(text) <= _LONGEST_SHOWN_NOTE}

    async def forget_note(arguments: _Name, call: ToolCall) -> dict[str, Any]:
        gone = await asyncio.to_thread(notes.delete, arguments.name)
        return {"forgotten": arguments.name, "erased": gone.erased}

    return [
        OwnTool(
            "write_note",
            "Adds text to a note, or creates the note: for lists and longer texts that the person keeps and edits.",
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
            "Permanently deletes a whole note if the person asks for it.",
            _Name,
            forget_note,
            specialist="memory",
        ),
    ]


def _read_note(memory: Memory, notes: Notes, name: str) -> str:
    try:
        return notes.read(name)
    except AgentError as error:
        if error.code is not ErrorCode.NOT_FOUND:
            raise
        notes.synchronize()
        names = sorted(memory.files(EntryKind.NOTE))
        there = ", ".join(names[:_MOST_NAMES]) or "none"
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no note {name!r}; available: {there}.") from None
