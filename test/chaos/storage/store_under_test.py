"""The stores of the product behind one interface: a fault writes numbered records and reads them afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from chaos.storage import learning_stores, mind_stores, tool_stores
from chaos.storage.careless_store import Careless


class StoreUnderTest(Protocol):
    """A store in a folder, which it creates if necessary. It raises the errors of the store behind it."""

    def put(self, number: int) -> None:
        """Stores the record of a number; the record counts as acknowledged when this returns."""
        ...

    def records(self) -> list[tuple[int, str]]:
        """All records of the store: each a number and a text, which must be `words_of` that number."""
        ...

    def close(self) -> None:
        """Closes its files."""
        ...


STORES: Mapping[str, Callable[[Path], StoreUnderTest]] = MappingProxyType(
    {
        "memories": mind_stores.Memories,
        "conversations": mind_stores.Conversations,
        "plans": mind_stores.Plans,
        "approvals": mind_stores.Approvals,
        "decisions": mind_stores.Decisions,
        "phrases": mind_stores.Phrases,
        "notes": mind_stores.NoteFiles,
        "judgments": learning_stores.Judgments,
        "waiting judgments": learning_stores.WaitingJudgments,
        "policies": learning_stores.Policies,
        "demonstrations": learning_stores.Shown,
        "tools": tool_stores.Tools,
        "tokens": tool_stores.Tokens,
    }
)
"""Every store that acknowledges records, by what it stores."""

CARELESS = "careless"

ALL: Mapping[str, Callable[[Path], StoreUnderTest]] = MappingProxyType({**STORES, CARELESS: Careless})
"""With one that acknowledges records before they are on disk."""
