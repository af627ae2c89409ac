"""Common interface of the stores under test.

It writes numbered records before a fault and reads them afterward.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from chaos.storage import learning_stores, mind_stores, tool_stores
from chaos.storage.careless_store import Careless


class StoreUnderTest(Protocol):
    """Store in a folder. The folder is created if necessary. Methods raise the errors of the wrapped store."""

    def put(self, number: int) -> None:
        """Stores the record with the given number. The record counts as acknowledged once this method returns."""
        ...

    def records(self) -> list[tuple[int, str]]:
        """Returns the number and the text of every record. The text must equal `words_of` of the number."""
        ...

    def close(self) -> None:
        """Closes the files of the store."""
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
"""All stores of the product that acknowledge records, by the kind of record."""

CARELESS = "careless"

ALL: Mapping[str, Callable[[Path], StoreUnderTest]] = MappingProxyType({**STORES, CARELESS: Careless})
"""All stores of the product, and one that acknowledges records before they are on disk."""
