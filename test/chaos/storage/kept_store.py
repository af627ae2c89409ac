"""A store of the product as the faults see it: it is given numbered records, and asked for them afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from chaos.storage import learning_stores, mind_stores, tool_stores
from chaos.storage.careless_store import Careless


class KeptStore(Protocol):
    """Opened on a folder, which is made if need be. Its errors are those of the store behind it."""

    def put(self, number: int) -> None:
        """Has the store keep the record of a number; acknowledged when it returns."""
        ...

    def kept(self) -> list[tuple[int, str]]:
        """What the store serves: numbers, and words, which are to be `words_of` the number."""
        ...

    def close(self) -> None:
        """Closes its files."""
        ...


STORES: Mapping[str, Callable[[Path], KeptStore]] = MappingProxyType(
    {
        "memories": mind_stores.Memories,
        "conversations": mind_stores.Conversations,
        "plans": mind_stores.Plans,
        "approvals": mind_stores.Approvals,
        "decisions": mind_stores.Decisions,
        "phrases": mind_stores.Phrases,
        "notes": mind_stores.NoteFiles,
        "judgements": learning_stores.Judgements,
        "waiting judgements": learning_stores.WaitingJudgements,
        "policies": learning_stores.Policies,
        "demonstrations": learning_stores.Shown,
        "tools": tool_stores.Tools,
        "tokens": tool_stores.Tokens,
    }
)
"""All that acknowledge, by what they keep."""

CARELESS = "careless"

ALL: Mapping[str, Callable[[Path], KeptStore]] = MappingProxyType({**STORES, CARELESS: Careless})
"""With one that does not keep its word."""
