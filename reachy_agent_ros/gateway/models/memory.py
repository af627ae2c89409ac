"""Memory of the agent: search and deletion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pydantic import BaseModel, Field

MemoryKind = Literal["fact", "episode", "note", "document"]


class MemoryItem(BaseModel):
    """Entry of the memory."""

    id: int = Field(description="Id of the entry, never reused.")
    kind: MemoryKind
    key: str = Field(description="Name of a fact, or file of a note or document; empty for an episode.")
    text: str
    source: str = Field(description="Source of the entry.")
    created: float = Field(description="Time of creation, seconds since the epoch.")
    participants: list[str] = Field(description="People who took part in an episode.")
    score: float | None = Field(description="Match with the query, 0 to 1; null without a query.")


class MemoryAnswer(BaseModel):
    """Search results."""

    entries: list[MemoryItem] = Field(description="Entries, best match first; without a query, newest first.")


class ForgottenAnswer(BaseModel):
    """Result of deleting entries."""

    forgotten: int = Field(description="Number of deleted entries.")
    erased: bool = Field(
        description="Whether all data of the entries is erased from the disk. False while another process reads the "
        "file; the data is then erased when the file is next opened."
    )


class Memories(Protocol):
    """Service that searches and deletes memory entries. Both methods raise `AgentError`."""

    async def find(self, query: str, kinds: Sequence[MemoryKind], limit: int) -> MemoryAnswer:
        """Returns up to `limit` (1 to 100) entries: the best matches or, without a query, the newest.

        An empty `kinds` selects all kinds.
        """

    async def forget(self, number: int) -> ForgottenAnswer:
        """Deletes an entry. Errors: `NOT_FOUND`: unknown entry; `INVALID_ARGUMENTS`: passage of a file."""
