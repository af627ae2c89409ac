"""A ledger of what the graph acknowledged, to compare with what can be read back: nothing may be missing.

The method is that of Jepsen (jepsen.io): record acknowledgments while faults are injected, then compare.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from enum import StrEnum

Stored = Mapping["Kind", frozenset[str]]
"""Keys of the records that can be read back, by kind."""


class Kind(StrEnum):
    """Kinds of records that the robot stores for people."""

    TURN = "turns"
    FEEDBACK = "feedback"
    TOOL = "tools"
    DEMONSTRATION = "demonstrations"
    MEMORY = "memories"
    APPROVAL = "approvals"


Entry = tuple[Kind, str]
"""Kind and key of a record; `stored_records` defines the keys."""


class Ledger:
    """Collects acknowledgments from any thread. Operations that failed or got no answer do not belong in it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._acknowledged: set[Entry] = set()

    def acknowledge(self, kind: Kind, key: str) -> None:
        """Notes that the graph acknowledged a record.

        Args:
            kind: Kind of the record.
            key: Key of the record, as `stored_records` defines it.
        """
        with self._lock:
            self._acknowledged.add((kind, key))

    def entries(self) -> frozenset[Entry]:
        """The records that were acknowledged until now."""
        with self._lock:
            return frozenset(self._acknowledged)


def missing(entries: frozenset[Entry], stored: Stored) -> list[str]:
    """Records that were acknowledged and cannot be read back, as "kind: key".

    Args:
        entries: The acknowledged records. Take them before you read `stored`, which may lack later ones.
        stored: The records that can be read back.
    """
    return sorted(f"{kind}: {key}" for kind, key in entries if key not in stored[kind])
