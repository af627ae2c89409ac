"""The memory file: its tables, and entries as rows of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.agent.memory.embedder import DIMENSIONS, Vectors
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.storage.database import Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of, sealing

SEALED = ("kind", "key", "text", "source", "created", "participants", "origin")
"""Columns of an entry that its seal covers."""

_SEALED_BEFORE = SEALED[:-1]
"""Those of version 2."""

# Nobody knows what earlier episodes were made of, so they count as text from elsewhere. Facts count as told by a
# person, as their source says. The seal of a damaged row stays wrong.
_ORIGIN = f"""
    ALTER TABLE entries ADD COLUMN origin TEXT NOT NULL DEFAULT '';
    ALTER TABLE entries ADD COLUMN was_sound INTEGER;
    UPDATE entries SET was_sound = (seal IS {seal_of(*_SEALED_BEFORE)});
    UPDATE entries SET origin = CASE kind WHEN 'note' THEN 'document' WHEN 'document' THEN 'document'
        WHEN 'episode' THEN 'memory:unknown' ELSE '' END;
    UPDATE entries SET seal = {seal_of(*SEALED)} WHERE was_sound;
    ALTER TABLE entries DROP COLUMN was_sound;
"""  # noqa: S608 - only constants

_TABLES = """
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: a number that was forgotten stays a dead number
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    source TEXT NOT NULL,
    created REAL NOT NULL, -- seconds since 1970
    participants TEXT NOT NULL -- JSON list of names
);
CREATE INDEX IF NOT EXISTS entries_by_key ON entries (kind, key);
CREATE INDEX IF NOT EXISTS entries_by_time ON entries (kind, created);
CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY REFERENCES entries (id) ON DELETE CASCADE,
    vector BLOB NOT NULL CHECK (length(vector) = 768) -- 384 half-precision floats, unit length
);
CREATE TABLE IF NOT EXISTS files ( -- what notes and documents were made of
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    modified INTEGER NOT NULL, -- nanoseconds since 1970
    sha256 TEXT NOT NULL,
    PRIMARY KEY (kind, key)
);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    key, text, content='entries', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER IF NOT EXISTS entries_added AFTER INSERT ON entries BEGIN
    INSERT INTO words (rowid, key, text) VALUES (new.id, new.key, new.text);
END;
CREATE TRIGGER IF NOT EXISTS entries_removed AFTER DELETE ON entries BEGIN
    INSERT INTO words (words, rowid, key, text) VALUES ('delete', old.id, old.key, old.text);
END;
"""

FORMAT = Format("memory", _TABLES, (sealing("entries", *_SEALED_BEFORE), _ORIGIN))

_ADD = f"""
    INSERT INTO entries ({", ".join(SEALED)}, seal)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, {seal_of("?1", "?2", "?3", "?4", "CAST(?5 AS REAL)", "?6", "?7")}) RETURNING id
"""  # noqa: S608 - only constants, as below
_SOUND = is_sound("'entry ' || id", *SEALED)
_REMOVE = "DELETE FROM entries WHERE id IN (SELECT value FROM json_each(?))"
_WITH_KEYS = "SELECT id FROM entries WHERE kind = ? AND key IN (SELECT value FROM json_each(?))"
_BY_NUMBER = f"""
    SELECT id, {", ".join(SEALED)} FROM entries WHERE id IN (SELECT value FROM json_each(?)) AND {_SOUND}
"""  # noqa: S608
_LISTED = f"""
    SELECT id, {", ".join(SEALED)} FROM entries
    WHERE kind IN (SELECT value FROM json_each(?)) AND {_SOUND} ORDER BY created DESC, id DESC LIMIT ?
"""  # noqa: S608
_OUTDATED = """
    SELECT id FROM entries WHERE kind = ?1 AND (created < ?2 OR id NOT IN (
        SELECT id FROM entries WHERE kind = ?1 ORDER BY created DESC, id DESC LIMIT ?3
    ))
"""
_VECTORS = "SELECT id, vector FROM vectors WHERE id IN (SELECT value FROM json_each(?))"
_KINDS = "SELECT id, kind FROM entries WHERE id IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True)
class Fingerprint:
    """What tells whether a file has changed.

    Attributes:
        modified: Its modification time, nanoseconds since 1970.
        sha256: Digest of its content.
    """

    modified: int
    sha256: str


class EntryTable:
    """Entries, their vectors and the files they were made of.

    Args:
        connection: To a file with the tables of `FORMAT`; where it writes, within the caller's transaction.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, entry: MemoryEntry, vector: Vectors) -> int:
        """Adds an entry and returns its number."""
        participants = json.dumps(entry.participants)
        row = (entry.kind, entry.key, entry.text, entry.source, entry.created, participants, entry.origin)
        identity: int = self._connection.execute(_ADD, row).fetchone()[0]
        # Half precision moves a cosine by less than 0.001 and halves the file.
        packed = vector.astype(np.float16).tobytes()
        self._connection.execute("INSERT INTO vectors VALUES (?, ?)", (identity, packed))
        return identity

    def remove(self, identities: Collection[int]) -> None:
        """Removes entries by number."""
        self._connection.execute(_REMOVE, (_list(identities),))

    def erase_words(self) -> None:
        """Makes the index of words forget what was removed; it only marks it otherwise, until its pieces are merged.

        It is made anew, which takes as long as merging all of them: after that ('optimize') SQLite 3.40 calls a large
        index damaged at the next write, and whoever believes it loses a sound memory.
        """
        self._connection.execute("INSERT INTO words (words) VALUES ('rebuild')")

    def with_keys(self, kind: EntryKind, keys: Collection[str]) -> list[int]:
        """Numbers of the entries of a kind that have one of the keys."""
        return [identity for (identity,) in self._connection.execute(_WITH_KEYS, (kind, _list(keys)))]

    def by_number(self, identities: Collection[int]) -> dict[int, MemoryEntry]:
        """Those of the entries that there are, and that are as they were stored."""
        return {row[0]: _entry(row) for row in self._connection.execute(_BY_NUMBER, (_list(identities),))}

    def listed(self, kinds: Sequence[EntryKind], limit: int) -> list[MemoryEntry]:
        """Entries of some kinds that are as they were stored, the newest first; a negative limit is none."""
        return [_entry(row) for row in self._connection.execute(_LISTED, (_list(kinds), limit))]

    def outdated(self, kind: EntryKind, before: float, keep: int) -> list[int]:
        """Numbers of what is older than a time (s since 1970), or not among so many of the newest of its kind."""
        return [identity for (identity,) in self._connection.execute(_OUTDATED, (kind, before, keep))]

    def identities(self) -> NDArray[np.int64]:
        """Numbers of all entries."""
        return np.array([identity for (identity,) in self._connection.execute("SELECT id FROM entries")], np.int64)

    def vectors(self, identities: Collection[int]) -> tuple[list[int], Vectors]:
        """Vectors of those of the entries that there are: their numbers, and an array of shape [n, 384]."""
        rows = self._connection.execute(_VECTORS, (_list(identities),)).fetchall()
        packed = np.frombuffer(b"".join(vector for _, vector in rows), np.float16)
        return [identity for identity, _ in rows], packed.reshape(-1, DIMENSIONS).astype(np.float32)

    def kinds(self, identities: Collection[int]) -> list[EntryKind]:
        """Kinds of entries, in the order of `identities`."""
        kinds = dict(self._connection.execute(_KINDS, (_list(identities),)).fetchall())
        return [EntryKind(kinds[identity]) for identity in identities]

    def add_file(self, kind: EntryKind, key: str, fingerprint: Fingerprint) -> None:
        """Notes what a file looked like when its passages were stored."""
        row = (kind, key, fingerprint.modified, fingerprint.sha256)
        self._connection.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", row)

    def remove_file(self, kind: EntryKind, key: str) -> None:
        """Drops what `add_file` noted."""
        self._connection.execute("DELETE FROM files WHERE kind = ? AND key = ?", (kind, key))

    def files(self, kind: EntryKind) -> dict[str, Fingerprint]:
        """What `add_file` noted, by key."""
        rows = self._connection.execute("SELECT key, modified, sha256 FROM files WHERE kind = ?", (kind,))
        return {key: Fingerprint(modified, sha256) for key, modified, sha256 in rows}

    def clear(self) -> None:
        """Removes everything."""
        self._connection.execute("DELETE FROM entries")
        self._connection.execute("DELETE FROM files")

    def count(self) -> int:
        """Number of entries."""
        count: int = self._connection.execute("SELECT count(*) FROM entries").fetchone()[0]
        return count


def _list(values: Collection[int] | Collection[str]) -> str:
    """As one SQL parameter, however many there are."""
    return json.dumps(list(values))


def _entry(row: tuple[int, str, str, str, str, float, str, str]) -> MemoryEntry:
    identity, kind, key, text, source, created, participants, origin = row
    return MemoryEntry(EntryKind(kind), text, key, source, created, tuple(json.loads(participants)), origin, identity)
