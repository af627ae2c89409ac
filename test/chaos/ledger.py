"""What the graph said that it has, and what of it can be read back: the difference must be empty.

The method is Jepsen's (jepsen.io): a history of what was acknowledged, faults beside it, and a comparison afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from enum import StrEnum

Kept = Mapping["Kind", frozenset[str]]
"""What can be read back, by kind."""


class Kind(StrEnum):
    """What people give the robot to keep."""

    TURN = "turns"
    FEEDBACK = "feedback"
    TOOL = "tools"
    DEMONSTRATION = "demonstrations"
    MEMORY = "memories"
    APPROVAL = "approvals"


Entry = tuple[Kind, str]
"""A kind, and what `kept` calls the thing."""


class Ledger:
    """Takes acknowledgements from any thread. What got no answer, or an error, does not belong in it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._acknowledged: set[Entry] = set()

    def acknowledge(self, kind: Kind, key: str) -> None:
        """Notes that the graph said it has something.

        Args:
            kind: What it is.
            key: What `kept` calls it, once it is read back.
        """
        with self._lock:
            self._acknowledged.add((kind, key))

    def entries(self) -> frozenset[Entry]:
        """What was acknowledged up to now."""
        with self._lock:
            return frozenset(self._acknowledged)


def missing(entries: frozenset[Entry], kept: Kept) -> list[str]:
    """What was acknowledged and is not there, as "kind: key".

    Args:
        entries: Taken before `kept` was read: what is acknowledged meanwhile may not be in it.
        kept: What can be read back.
    """
    return sorted(f"{kind}: {key}" for kind, key in entries if key not in kept[kind])
