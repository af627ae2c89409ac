"""Store that acknowledges records too early.

It shows that the fault injection detects lost records.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from chaos.storage.words import number_in, words_of


class Careless:
    """SQLite store that acknowledges records before they are on disk (`synchronous=NORMAL`)."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(folder / "careless.db", isolation_level=None)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=NORMAL")
        self._database.execute("CREATE TABLE IF NOT EXISTS records (words TEXT)")

    def put(self, number: int) -> None:
        """Inserts a numbered record."""
        self._database.execute("INSERT INTO records VALUES (?)", (words_of(number),))

    def records(self) -> list[tuple[int, str]]:
        """Returns all stored records."""
        return [(number_in(words), words) for (words,) in self._database.execute("SELECT words FROM records")]

    def close(self) -> None:
        """Closes the database."""
        self._database.close()
