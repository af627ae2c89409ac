"""The memory, from the agent's own file, which several processes may use."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry import ALL_KINDS, Entry, Kind
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.ports.memories import Forgetting, Remembered


class FileMemories:
    """Implements `gateway.ports.memories.Memories`.

    It searches by words only: the model that knows meanings would take 100 MB and a second of a node that must answer
    in milliseconds. Whoever asks the robot itself is answered by meaning too.

    Args:
        file: The memory's.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    async def find(self, query: str, kinds: Sequence[str], limit: int) -> Sequence[Remembered]:
        """What has a query's words, the best first; without a query all of it, the newest first."""
        return await asyncio.to_thread(self._find, query.strip(), [Kind(kind) for kind in kinds] or ALL_KINDS, limit)

    async def forget(self, number: int) -> Forgetting:
        """Forgets an entry so that it is gone from the disk."""
        return await asyncio.to_thread(self._forget, number)

    def _find(self, query: str, kinds: Sequence[Kind], limit: int) -> list[Remembered]:
        with self._memory() as memory:
            if query:
                return [_remembered(entry, score) for entry, score in memory.recall_words(query, kinds, limit)]
            return [_remembered(entry) for entry in memory.entries(kinds, limit)]

    def _forget(self, number: int) -> Forgetting:
        with self._memory() as memory:
            gone = memory.forget([number])
        if not gone.count:
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no memory of the number {number}.")
        return Forgetting(gone.count, gone.erased)

    @contextmanager
    def _memory(self) -> Iterator[Memory]:
        with closing(Memory(self._file, _NoEmbedder())) as memory:
            yield memory


class _NoEmbedder:
    def embed(self, texts: Sequence[str]) -> Vectors:
        raise AgentError(ErrorCode.INTERNAL, "The gateway knows no meanings.")


def _remembered(entry: Entry, score: float | None = None) -> Remembered:
    return Remembered(
        id=entry.identity or 0,
        kind=entry.kind.value,
        key=entry.key,
        text=entry.text,
        source=entry.source,
        created=entry.created,
        participants=entry.participants,
        score=score,
    )
