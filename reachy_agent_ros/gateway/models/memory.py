"""Memory: what the agent remembers, found or forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pydantic import BaseModel, Field

MemoryKind = Literal["fact", "episode", "note", "document"]


class MemoryItem(BaseModel):
    """One thing that is remembered."""

    id: int = Field(description="Never given twice.")
    kind: MemoryKind
    key: str = Field(description="A fact's name, the file of a note or document; empty for an episode.")
    text: str
    source: str = Field(description="Where it comes from.")
    created: float = Field(description="Seconds since the epoch.")
    participants: list[str] = Field(description="Who took part in an episode.")
    score: float | None = Field(description="How well its words answer the query, 0 to 1; null without a query.")


class MemoryAnswer(BaseModel):
    """What was found."""

    entries: list[MemoryItem] = Field(description="The best first; without a query the newest.")


class ForgottenAnswer(BaseModel):
    """What was forgotten."""

    forgotten: int = Field(description="Entries.")
    erased: bool = Field(
        description="Whether no byte of them is left on the disk; false while another process reads the file, and "
        "then they go when it is opened next."
    )


class Memories(Protocol):
    """The memory. Both methods raise `AgentError`."""

    async def find(self, query: str, kinds: Sequence[MemoryKind], limit: int) -> MemoryAnswer:
        """Finds at most `limit` (1 to 100) entries by words, or the newest; no kinds are all kinds."""

    async def forget(self, number: int) -> ForgottenAnswer:
        """Forgets an entry; `NOT_FOUND`, or `INVALID_ARGUMENTS` for a passage of a file, which would still hold it."""
