"""Database of the schedule: pending entries, and records of those that were due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from reachy_agent_ros.agent.schedule.entry import Entry, Firing
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.numbered_records import NumberedRecords
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of

FILE_NAME = "schedule.sqlite3"
"""Name of the file in the state directory."""

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
_ENTRIES = NumberedRecords("entries", "entry", Entry)
# Only constants become part of the statements.
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
            return _ENTRIES.load(connection)

    def add(self, entry: Entry) -> Entry:
        """Stores a new entry. Returns it with its number."""
        with self._database.writing() as connection:
            return _ENTRIES.add(connection, entry)

    def replace(self, entries: Iterable[Entry]) -> None:
        """Stores changed entries."""
        with self._database.writing() as connection:
            _ENTRIES.replace(connection, entries)

    def restore(self, entries: Iterable[Entry]) -> None:
        """Stores entries with their numbers, whether they still exist or not."""
        with self._database.writing() as connection:
            _ENTRIES.restore(connection, entries)

    def remove(self, identities: Iterable[int]) -> None:
        """Deletes entries."""
        with self._database.writing() as connection:
            _ENTRIES.remove(connection, identities)

    def fire(self, firings: Sequence[Firing], following: Sequence[Entry]) -> None:
        """Records that entries were due, and replaces them by their next repetition, in one transaction.

        After a crash, either all of this is on disk or nothing, so no entry is lost or recorded twice.

        Args:
            firings: Entries that are due.
            following: Next repetition of those that recur. The other entries are deleted.
        """
        with self._database.writing() as connection:
            rows = [(*_key(one), _ENTRIES.text(one.entry), one.fired, one.skipped) for one in firings]
            connection.executemany(_RECORD_FIRING, rows)
            _ENTRIES.replace(connection, following)
            kept = {entry.identity for entry in following}
            _ENTRIES.remove(connection, {one.entry.identity for one in firings} - kept)

    def unannounced(self) -> list[Firing]:
        """Returns the records of entries that were due but not yet announced, the earliest first."""
        with self._database.reading() as connection:
            rows = connection.execute(_UNANNOUNCED).fetchall()
        read = ((_ENTRIES.read(identity, text), fired, skipped) for identity, text, fired, skipped in rows)
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


def _key(firing: Firing) -> tuple[int, float]:
    return firing.entry.identity, firing.entry.wall_due
