"""One state of the file for several questions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """What is read within is as it was at the beginning, whatever another process forgets meanwhile.

    Args:
        connection: To the file, outside a transaction.
    """
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:  # SQLite ends it by itself where the file is damaged
            connection.execute("ROLLBACK")
