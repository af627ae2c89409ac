"""What the robot remembers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Remembered:
    """One thing that is remembered.

    Attributes:
        id: Its number, never given twice.
        kind: "fact", "episode", "note" or "document".
        key: A fact's name, the file of a note or document; empty for an episode.
        text: What is remembered.
        source: Where it comes from.
        created: s since the epoch.
        participants: Who took part in an episode.
        score: How well its words answer the query, 0 to 1; None where nothing was searched for.
    """

    id: int
    kind: str
    key: str
    text: str
    source: str
    created: float
    participants: Sequence[str] = ()
    score: float | None = None


@dataclass(frozen=True)
class Forgetting:
    """What was forgotten.

    Attributes:
        forgotten: Entries.
        erased: Whether no byte of them is left on the disk; false while another process reads the file, and then they
            go when it is opened next.
    """

    forgotten: int
    erased: bool


class Memories(Protocol):
    """The memory. All raise `AgentError`."""

    async def find(self, query: str, kinds: Sequence[str], limit: int) -> Sequence[Remembered]:
        """What has a query's words, the best first; without a query all of it, the newest first.

        Args:
            query: Words; empty: none.
            kinds: Sorts of entries; empty: all.
            limit: Entries at most, 1 to 100.
        """
        ...

    async def forget(self, number: int) -> Forgetting:
        """Forgets an entry so that it is gone from the disk.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS`: it is a passage of a file, which would still hold it.
        """
        ...
