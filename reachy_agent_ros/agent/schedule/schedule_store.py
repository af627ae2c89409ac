"""Database of the schedule: pending entries, and records of those that were due."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from reachy_agent_ros.agent.schedule.entry import Entry, Firing
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of

FILE_NAME = "schedule.sqlite3"
"""Name of the file in the state directory."""

_log = logging.getLogger(__name__)
_ENTRY = TypeAdapter(Entry)
_PENDING = ("id", "entry")
_RECORD = ("id", "due", "entry", "fired", "skipped", "announced")
_FORMAT = Format(
    "schedule",
    # AUTOINCREMENT, because the id of a deleted entry must not be used again: its record may still exist.
    "CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL, seal BLOB);"
    "CREATE TABLE firings (id INTEGER, due REAL, entry TEXT NOT NULL, fired REAL NOT NULL, skipped INTEGER NOT NULL,"
    " announced REAL, seal BLOB, PRIMARY KEY (id, due));"
    "CREATE TABLE clock (wall REAL NOT NULL);"
    "INSERT INTO clock VALUES (0);",
)
# Only constants, as below. An entry is sealed after it has received its number.
_SOUND = is_sound("'entry ' || id", *_PENDING)
_LOAD = f"SELECT id, entry FROM entries WHERE {_SOUND} ORDER BY id"  # noqa: S608
_SEAL = f"UPDATE entries SET entry = ?2, seal = {seal_of('?1', '?2')} WHERE id = ?1"  # noqa: S608
_RESTORE = f"INSERT OR REPLACE INTO entries VALUES (?1, ?2, {seal_of('?1', '?2')})"  # noqa: S608
_RECORD_SEAL = seal_of("?1", "?2", "?3", "?4", "?5", "NULL")
_RECORD_FIRING = f"INSERT INTO firings VALUES (?1, ?2, ?3, ?4, ?5, NULL, {_RECORD_SEAL})"  # noqa: S608
_SOUND_RECORD = is_sound("'the record of entry ' || id", *_RECORD)
_UNANNOUNCED = (
    "SELECT id, entry, fired, skipped FROM firings"  # noqa: S608
    f" WHERE announced IS NULL AND {_SOUND_RECORD} ORDER BY due"
)
_ANNOUNCED_SEAL = seal_of("id", "due", "entry", "fired", "skipped", "?3")
_ANNOUNCED = f"UPDATE firings SET announced = ?3, seal = {_ANNOUNCED_SEAL} WHERE id = ?1 AND due = ?2"  # noqa: S608


class ScheduleStore:
    """Store of the schedule in a SQLite file. Every change is on disk when its method returns. Thread-safe.

    A damaged file is renamed and replaced by a new file.

    Args:
        path: Path of the file, whose folder is created if necessary.

    Raises:
        AgentError: `STORAGE_FAILED`, as every method.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _FORMAT)

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return self._database.damage

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def load(self) -> list[Entry]:
        """Returns all pending entries. Logs and skips unreadable ones."""
        with self._database.reading() as connection:
            rows = connection.execute(_LOAD).fetchall()
        return [entry for identity, text in rows if (entry := _entry(identity, text)) is not None]

    def add(self, entry: Entry) -> Entry:
        """Stores a new entry. Returns it with its number."""
        with self._database.writing() as connection:
            added = connection.execute("INSERT INTO entries (entry) VALUES ('')")
            stored = replace(entry, identity=added.lastrowid or 0)
            connection.execute(_SEAL, _row(stored))
        return stored

    def replace(self, entries: Iterable[Entry]) -> None:
        """Stores changed entries."""
        with self._database.writing() as connection:
            connection.executemany(_SEAL, [_row(entry) for entry in entries])

    def restore(self, entries: Iterable[Entry]) -> None:
        """Stores entries with their numbers, whether they still exist or not."""
        with self._database.writing() as connection:
            connection.executemany(_RESTORE, [_row(entry) for entry in entries])

    def remove(self, identities: Iterable[int]) -> None:
        """Deletes entries."""
        with self._database.writing() as connection:
            _remove(connection, identities)

    def fire(self, firings: Sequence[Firing], following: Sequence[Entry]) -> None:
        """Records that entries were due, and replaces them by their next repetition, in one transaction.

        After a crash, either all of this is on disk or nothing, so no entry is lost or recorded twice.

        Args:
            firings: Entries that are due.
            following: Next repetition of those that recur. The other entries are deleted.
        """
        with self._database.writing() as connection:
            rows = [(*_key(one), _text(one.entry), one.fired, one.skipped) for one in firings]
            connection.executemany(_RECORD_FIRING, rows)
            connection.executemany(_SEAL, [_row(entry) for entry in following])
            kept = {entry.identity for entry in following}
            _remove(connection, {one.entry.identity for one in firings} - kept)

    def unannounced(self) -> list[Firing]:
        """Returns the records of entries that were due but not yet announced, the earliest first."""
        with self._database.reading() as connection:
            rows = connection.execute(_UNANNOUNCED).fetchall()
        read = ((_entry(identity, text), fired, skipped) for identity, text, fired, skipped in rows)
        return [Firing(entry, fired, skipped) for entry, fired, skipped in read if entry is not None]

    def announced(self, firings: Iterable[Firing], wall: float) -> None:
        """Records that entries were announced.

        Args:
            firings: The entries.
            wall: Wall clock time, s since the epoch.
        """
        with self._database.writing() as connection:
            connection.executemany(_ANNOUNCED, [(*_key(one), wall) for one in firings])

    def records(self) -> list[tuple[int, float, int]]:
        """Returns the number of the entry, its due time (s since the epoch) and the skipped repetitions of each record.

        `forget` deletes records, so old ones are missing.
        """
        with self._database.reading() as connection:
            return connection.execute("SELECT id, due, skipped FROM firings ORDER BY id, due").fetchall()

    def forget(self, before: float) -> None:
        """Deletes the records of what was announced before a time (s since the epoch)."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM firings WHERE announced < ?", (before,))

    def last_wall(self) -> float:
        """Returns the latest wall clock time that was noted, s since the epoch."""
        with self._database.reading() as connection:
            return float(connection.execute("SELECT wall FROM clock").fetchone()[0])

    def note_wall(self, wall: float) -> None:
        """Stores the wall clock time (s since the epoch), which shows after a reboot whether the clock is set."""
        with self._database.writing() as connection:
            connection.execute("UPDATE clock SET wall = ?", (wall,))


def _remove(connection: sqlite3.Connection, identities: Iterable[int]) -> None:
    connection.executemany("DELETE FROM entries WHERE id = ?", [(identity,) for identity in identities])


def _key(firing: Firing) -> tuple[int, float]:
    return firing.entry.identity, firing.entry.wall_due


def _row(entry: Entry) -> tuple[int, str]:
    return entry.identity, _text(entry)


def _text(entry: Entry) -> str:
    return _ENTRY.dump_json(entry, exclude={"identity"}).decode()


def _entry(identity: int, text: str) -> Entry | None:
    try:
        return replace(_ENTRY.validate_json(text), identity=identity)
    except ValidationError as error:
        _log.error("The entry %d of the schedule cannot be read: %s", identity, error)
        return None
