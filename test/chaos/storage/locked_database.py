"""Fault that locks a SQLite file from another connection."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from chaos.storage.ledger import Ledger
from chaos.storage.store_under_test import ALL, StoreUnderTest
from reachy_agent_ros.core.errors import AgentError

_RECORDS = 5


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Locks a database against other writers within the context.

    Args:
        path: The SQLite file.
    """
    with closing(sqlite3.connect(path, timeout=30.0, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def kept_while_locked(name: str, file: str, scratch: Path, seconds: float) -> Ledger:
    """Stores records while the file is locked, and then checks the acknowledged records.

    Args:
        name: Name of a store in `ALL` that uses SQLite.
        file: Name of its file.
        scratch: Empty folder.
        seconds: Duration of the lock, s.

    Returns:
        The losses. `faults` counts the lock and the rejected records, which were not acknowledged.
    """
    state, ledger = scratch / "state", Ledger()
    store = ALL[name](state)
    store.put(0)
    acknowledged = [0]
    with locked(state / file):
        writer = threading.Thread(target=_keep, args=(store, acknowledged), daemon=True)
        writer.start()
        time.sleep(seconds)
    writer.join()
    store.close()
    ledger.check(ALL[name], state, acknowledged)
    ledger.faults = 1 + _RECORDS - len(acknowledged)
    return ledger


def _keep(store: StoreUnderTest, acknowledged: list[int]) -> None:
    for number in range(1, 1 + _RECORDS):
        try:
            store.put(number)
        except AgentError:
            continue
        acknowledged.append(number)
