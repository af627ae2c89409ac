"""The SDK's SQLite session, safe against a power cut."""

from __future__ import annotations

import sqlite3

from agents import SQLiteSession


class DurableSession(SQLiteSession):
    """Waits for the disk at every commit.

    The SDK turns on write-ahead logging and leaves `synchronous` to how SQLite was built; where that is NORMAL, a
    power cut takes the last commits with it.
    """

    @staticmethod
    def _configure_connection(conn: sqlite3.Connection) -> None:
        SQLiteSession._configure_connection(conn)
        conn.execute("PRAGMA synchronous=FULL")
