"""Ledger of acknowledged records, compared with the stored ones after a fault."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

from chaos.storage.store_under_test import StoreUnderTest
from chaos.storage.words import words_of
from reachy_agent_ros.core.errors import AgentError

_FAILURES = (AgentError, sqlite3.Error, OSError, ValueError, LookupError)
"""Errors that end a call. Stores document only the first; the others are faults of a store and are reported, too."""

PROBE = 10_000_000
"""Number of the record that shows whether a store still works."""


@dataclass
class Ledger:
    """Counts over many faults.

    Attributes:
        faults: How many there were.
        acknowledged: Records that had been acknowledged before one of them.
        lost: Those that were gone after it.
        wrong: Records that were served with other words than their own.
        unusable: Stores that could not be opened, read or written to afterwards, with the reason.
    """

    faults: int = 0
    acknowledged: int = 0
    lost: int = 0
    wrong: int = 0
    unusable: list[str] = field(default_factory=list)

    def check(self, open_store: Callable[[Path], StoreUnderTest], folder: Path, acknowledged: Collection[int]) -> None:
        """Opens a store after a fault, and looks for all that it acknowledged.

        Args:
            open_store: Opens it.
            folder: Where it is.
            acknowledged: Numbers of the records.
        """
        self.faults += 1
        self.acknowledged += len(acknowledged)
        try:
            served = _served(open_store, folder)
        except _FAILURES as error:
            self.unusable.append(str(error))
            self.lost += len(acknowledged)
            return
        self.lost += len(set(acknowledged) - {number for number, words in served if words == words_of(number)})
        self.wrong += sum(words != words_of(number) for number, words in served)

    def __add__(self, other: Ledger) -> Ledger:
        return Ledger(
            self.faults + other.faults,
            self.acknowledged + other.acknowledged,
            self.lost + other.lost,
            self.wrong + other.wrong,
            self.unusable + other.unusable,
        )


def _served(open_store: Callable[[Path], StoreUnderTest], folder: Path) -> list[tuple[int, str]]:
    store = open_store(folder)
    try:
        served = store.records()
        if all(number != PROBE for number, _ in served):
            store.put(PROBE)
            assert PROBE in [number for number, _ in store.records()]
    finally:
        store.close()
    return served
