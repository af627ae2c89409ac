"""The tools with which the agent looks up what it remembers, and where it has it from."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from reachy_agent_ros.agent.memory.entry import ALL_KINDS, Kind, Recollection
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.agent.provenance.label import Label, OriginKind, read, written
from reachy_agent_ros.agent.toolbox.own_tools import OwnTool
from reachy_agent_ros.core.arguments import ToolArguments, WholeNumber
from reachy_agent_ros.tools.protocol.tools import ToolCall

LONGEST_TEXT = 800
"""Characters of a result: a whole passage of a file, and enough of anything else."""


class _Recall(ToolArguments):
    query: str = Field(description="What to look for: a question, or words.", min_length=1, max_length=500)
    kinds: list[Literal["fact", "episode", "note", "document"]] = Field(
        default=[], description="Where: told facts, earlier tasks, notes, documents. All of them if empty."
    )
    limit: WholeNumber = Field(default=5, description="Results at most.", ge=1, le=10)


class _SearchDocuments(ToolArguments):
    query: str = Field(description="What to look for: a question, or words.", min_length=1, max_length=500)
    limit: WholeNumber = Field(default=5, description="Results at most.", ge=1, le=10)


def recall_tools(memory: Memory, notes: Notes) -> list[OwnTool[Any]]:
    """`recall` and `search_documents`.

    Args:
        memory: What is searched.
        notes: Read again before a search, because people may have edited them.
    """

    async def recall(arguments: _Recall, call: ToolCall) -> dict[str, Any]:
        kinds = tuple(Kind(kind) for kind in arguments.kinds) or ALL_KINDS
        return await asyncio.to_thread(_recall, memory, notes, arguments.query, kinds, arguments.limit)

    async def search_documents(arguments: _SearchDocuments, call: ToolCall) -> dict[str, Any]:
        found = await asyncio.to_thread(memory.recall, arguments.query, (Kind.DOCUMENT,), arguments.limit)
        return {"results": [_result(one) for one in found]}

    return [
        OwnTool(
            "recall",
            "Looks up what is remembered: what the person told, what was done earlier, notes and documents. Use it "
            "before saying that something is not known. A score below 0.5 mostly means that nothing fits.",
            _Recall,
            recall,
            specialist="memory",
            untrusted_output=True,
            origin=_origin,
        ),
        OwnTool(
            "search_documents",
            "Looks something up in the documents that the person gave, with file, heading and lines; name them in the "
            "answer.",
            _SearchDocuments,
            search_documents,
            specialist="memory",
            untrusted_output=True,
            origin=_origin,
        ),
    ]


def _recall(memory: Memory, notes: Notes, query: str, kinds: Sequence[Kind], limit: int) -> dict[str, Any]:
    changes = notes.synchronise()
    results = [_result(one) for one in memory.recall(query, kinds, limit)]
    return {"results": results} | ({"unreadable_notes": sorted(changes.refused)} if changes.refused else {})


def _origin(result: Mapping[str, Any]) -> str:
    """The labels of all results: what a person told has none. Names of notes are text of others as well."""
    found = {label for one in result["results"] for label in read(one["origin"])}
    return written(found | ({Label(OriginKind.DOCUMENT)} if "unreadable_notes" in result else set()))


def _result(found: Recollection) -> dict[str, Any]:
    entry = found.entry
    return {
        "number": entry.identity,
        "kind": entry.kind,
        "text": entry.sentence[:LONGEST_TEXT],
        "source": entry.source,
        "origin": entry.origin,
        "date": f"{datetime.fromtimestamp(entry.created):%Y-%m-%d}",
        "score": round(found.score, 2),
    }
