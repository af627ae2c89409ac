"""Ledger of acknowledged records, used to detect lost records.

The method is that of Jepsen (jepsen.io): record acknowledgments while faults are injected, then compare.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from enum import StrEnum

Stored = Mapping["Kind", frozenset[str]]
"""Keys of the stored records, by kind of record."""


class Kind(StrEnum):
    """Kind of record that the robot stores for its users."""

    TURN = "turns"
    FEEDBACK = "feedback"
    TOOL = "tools"
    DEMONSTRATION = "demonstrations"
    MEMORY = "memories"
    APPROVAL = "approvals"


Entry = tuple[Kind, str]
"""Kind and key of a record; `stored_records` defines the keys."""


class Ledger:
    """Thread-safe set of acknowledged records. Do not add operations that failed or got no response."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._acknowledged: set[Entry] = set()

    def acknowledge(self, kind: Kind, key: str) -> None:
        """Adds a record that the graph acknowledged.

        Args:
            kind: Kind of the record.
            key: Key of the record, as `stored_records` defines it.
        """
        with self._lock:
            self._acknowledged.add((kind, key))

    def entries(self) -> frozenset[Entry]:
        """Returns the records that were acknowledged so far."""
        with self._lock:
            return frozenset(self._acknowledged)


def missing(entries: frozenset[Entry], stored: Stored) -> list[str]:
    """Returns the acknowledged records that are not stored, each in the form "kind: key".

    Args:
        entries: The acknowledged records. Read these before `stored`, which may lack later records.
        stored: The stored records.
    """
    return sorted(f"{kind}: {key}" for kind, key in entries if key not in stored[kind])
