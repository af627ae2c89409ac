"""Comparison of acknowledged records with stored records after a fault."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

from chaos.storage.store_under_test import StoreUnderTest
from chaos.storage.words import words_of
from reachy_agent_ros.core.errors import AgentError

_FAILURES = (AgentError, sqlite3.Error, OSError, ValueError, LookupError)
"""Errors of a store. Only `AgentError` is documented; the others are faults of the store and are also reported."""

PROBE = 10_000_000
"""Number of the record that checks whether a store is still usable."""


@dataclass
class Ledger:
    """Counts of lost and wrong records over many faults.

    Attributes:
        faults: Number of faults.
        acknowledged: Number of records that were acknowledged before a fault, summed over all faults.
        lost: Number of acknowledged records that were missing after a fault.
        wrong: Number of records that were returned with wrong content.
        unusable: Errors of stores that could not be opened, read or written after a fault.
    """

    faults: int = 0
    acknowledged: int = 0
    lost: int = 0
    wrong: int = 0
    unusable: list[str] = field(default_factory=list)

    def check(self, open_store: Callable[[Path], StoreUnderTest], folder: Path, acknowledged: Collection[int]) -> None:
        """Opens a store after a fault, and checks that it contains all acknowledged records.

        Args:
            open_store: Opens the store.
            folder: Folder of the store.
            acknowledged: Numbers of the acknowledged records.
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
