"""Reads the stored records of a graph with the classes that the commands of `reachy-agent` use."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import select

from chaos.ledger import Kind, Stored
from reachy_agent_ros.agent.memory.embedder import LateEmbedder
from reachy_agent_ros.agent.memory.entry import EntryKind as EntryKind
from reachy_agent_ros.agent.memory.memory import FILE_NAME as MEMORY_FILE
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.permissions.audit_check import records
from reachy_agent_ros.agent.sessions.session import text_of
from reachy_agent_ros.agent.sessions.session_store import FILE_NAME as SESSION_FILE
from reachy_agent_ros.agent.sessions.session_store import SessionStore
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.feedback.schema import JUDGMENTS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.tool_generation.registry.registry import Registry


def read_stored(state: Path) -> Stored:
    """Returns the keys of all stored records, grouped by kind. The graph may be running.

    Args:
        state: State folder of the graph.

    Raises:
        AgentError: `STORAGE_FAILED`, if a store cannot be read.
    """
    readers = {
        Kind.TURN: _turns,
        Kind.FEEDBACK: _feedback,
        Kind.TOOL: _tools,
        Kind.DEMONSTRATION: _demonstrations,
        Kind.MEMORY: _memories,
        Kind.APPROVAL: _decisions,
    }
    return {kind: frozenset(read(state)) for kind, read in readers.items()}


def tool_key(name: str, source: str) -> str:
    """Returns the ledger key of a tool version.

    Tools with the same name and different source have different keys.
    """
    return f"{name}: {source}"


def memory_key(key: str, text: str) -> str:
    """Returns the ledger key of a fact."""
    return f"{key} is {text}"


def _turns(state: Path) -> set[str]:
    """Returns the texts of all messages of the user and the robot, in all conversations."""

    async def said(store: SessionStore) -> set[str]:
        items = [item for session in await store.sessions() for item in await store.items(session.session_id)]
        return {text_of(item) for item in items}

    with closing(SessionStore(state / SESSION_FILE)) as store:
        return asyncio.run(said(store))


def _feedback(state: Path) -> set[str]:
    with closing(FeedbackStore(state / "feedback.db")) as store:
        return {row.feedback_id for row in store.find(select(JUDGMENTS.c.feedback_id))}


def _tools(state: Path) -> Iterator[str]:
    """Yields the tool versions whose source can be read and matches its checksum."""
    registry = Registry(state / "tools")
    for manifest in registry.list():
        for version in manifest.versions:
            yield tool_key(manifest.name, registry.source_of(manifest.name, version.number))


def _demonstrations(state: Path) -> Iterator[str]:
    """Yields the identifiers of the demonstrations whose trajectory can be read."""
    demonstrations = Demonstrations(state / "demonstrations")
    for one in demonstrations.listed():
        try:
            demonstrations.bag(one).trajectory()
        except AgentError as error:  # in progress or without a robot: never acknowledged
            print(f"   cannot be read: demonstration {one.identifier}: {error}", file=sys.stderr)
        else:
            yield one.identifier


def _memories(state: Path) -> set[str]:
    with closing(Memory(state / MEMORY_FILE, LateEmbedder(SentenceEmbedder))) as memory:
        return {memory_key(fact.key, fact.text) for fact in memory.entries((EntryKind.FACT,))}


def _decisions(state: Path) -> set[str]:
    try:
        return {record["approval"] for record in records(state / "audit.jsonl") if record["event"] == "answer"}
    except AgentError as error:
        if error.code is ErrorCode.NOT_FOUND:  # no approval has been answered yet
            return set()
        raise
