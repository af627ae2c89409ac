"""Database tables of the memory file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.agent.memory.embedder import DIMENSIONS, Vectors
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.knowledge_table import TABLES as KNOWLEDGE
from reachy_agent_ros.agent.memory.knowledge_table import KnowledgeTable
from reachy_agent_ros.storage.database import Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of, sealing

SEALED = ("kind", "key", "text", "source", "created", "participants", "origin")
"""Columns of an entry that are covered by its seal."""

_SEALED_BEFORE = SEALED[:-1]
"""Sealed columns in version 2 of the file."""

# The provenance of earlier episodes is unknown, so they count as untrusted text. Facts count as stated by a person,
# as their source says. The checksum of a damaged row stays wrong.
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

FORMAT = Format("memory", _TABLES, (sealing("entries", *_SEALED_BEFORE), _ORIGIN, KNOWLEDGE))

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
    """Fingerprint of a file, for detecting changes.

    Attributes:
        modified: Modification time, nanoseconds since 1970.
        sha256: SHA-256 of the content.
    """

    modified: int
    sha256: str


class EntryTable:
    """Tables of entries, their vectors, and the files of notes and documents.

    Args:
        connection: Connection to a file with the tables of `FORMAT`. The caller provides the transaction for changes.

    Attributes:
        knowledge: Statements of the facts, and the facts that they have replaced.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.knowledge = KnowledgeTable(connection)

    def add(self, entry: MemoryEntry, vector: Vectors) -> int:
        """Adds an entry, and the statement of a fact. Returns the number of the entry."""
        participants = json.dumps(entry.participants)
        row = (entry.kind, entry.key, entry.text, entry.source, entry.created, participants, entry.origin)
        identity: int = self._connection.execute(_ADD, row).fetchone()[0]
        # Half precision changes a cosine by less than 0.001, and halves the size of the file.
        packed = vector.astype(np.float16).tobytes()
        self._connection.execute("INSERT INTO vectors VALUES (?, ?)", (identity, packed))
        if entry.kind is EntryKind.FACT:
            self.knowledge.add(identity, entry)
        return identity

    def remove(self, identities: Collection[int]) -> None:
        """Removes entries by number."""
        self._connection.execute(_REMOVE, (_list(identities),))

    def erase_words(self) -> None:
        """Erases the words of removed entries from the text index, where SQLite only marks them as deleted.

        SQLite erases them only when it merges the segments of the index. Rebuilds the index, which takes as long as
        merging ('optimize'). After 'optimize', SQLite 3.40 reports a large index as damaged at the next write, so that
        an intact memory would be discarded.
        """
        self._connection.execute("INSERT INTO words (words) VALUES ('rebuild')")

    def with_keys(self, kind: EntryKind, keys: Collection[str]) -> list[int]:
        """Returns the numbers of the entries of a kind that have any of the given keys."""
        return [identity for (identity,) in self._connection.execute(_WITH_KEYS, (kind, _list(keys)))]

    def by_number(self, identities: Collection[int]) -> dict[int, MemoryEntry]:
        """Returns the entries with the given numbers, without missing entries and entries with a wrong checksum."""
        return {row[0]: _entry(row) for row in self._connection.execute(_BY_NUMBER, (_list(identities),))}

    def listed(self, kinds: Sequence[EntryKind], limit: int) -> list[MemoryEntry]:
        """Returns the newest `limit` entries of the given kinds; all of them if `limit` is negative.

        Skips entries with an invalid checksum.
        """
        return [_entry(row) for row in self._connection.execute(_LISTED, (_list(kinds), limit))]

    def outdated(self, kind: EntryKind, before: float, keep: int) -> list[int]:
        """Returns the numbers of a kind's outdated entries.

        An entry is outdated if it is older than `before` (s since 1970) or not among the newest `keep` entries. A
        negative `keep` stands for no limit.
        """
        return [identity for (identity,) in self._connection.execute(_OUTDATED, (kind, before, keep))]

    def identities(self) -> NDArray[np.int64]:
        """Returns the numbers of all entries."""
        return np.array([identity for (identity,) in self._connection.execute("SELECT id FROM entries")], np.int64)

    def vectors(self, identities: Collection[int]) -> tuple[list[int], Vectors]:
        """Returns the numbers and the vectors (shape [n, 384]) of the given entries. Skips missing entries."""
        rows = self._connection.execute(_VECTORS, (_list(identities),)).fetchall()
        packed = np.frombuffer(b"".join(vector for _, vector in rows), np.float16)
        return [identity for identity, _ in rows], packed.reshape(-1, DIMENSIONS).astype(np.float32)

    def kinds(self, identities: Collection[int]) -> list[EntryKind]:
        """Returns the kind of each entry, in the order of `identities`."""
        kinds = dict(self._connection.execute(_KINDS, (_list(identities),)).fetchall())
        return [EntryKind(kinds[identity]) for identity in identities]

    def add_file(self, kind: EntryKind, key: str, fingerprint: Fingerprint) -> None:
        """Stores the fingerprint of a file whose passages are in the memory."""
        row = (kind, key, fingerprint.modified, fingerprint.sha256)
        self._connection.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", row)

    def remove_file(self, kind: EntryKind, key: str) -> None:
        """Removes the fingerprint of a file."""
        self._connection.execute("DELETE FROM files WHERE kind = ? AND key = ?", (kind, key))

    def files(self, kind: EntryKind) -> dict[str, Fingerprint]:
        """Returns the fingerprints of files, by key."""
        rows = self._connection.execute("SELECT key, modified, sha256 FROM files WHERE kind = ?", (kind,))
        return {key: Fingerprint(modified, sha256) for key, modified, sha256 in rows}

    def clear(self) -> None:
        """Removes all entries, replaced facts and file fingerprints."""
        self._connection.execute("DELETE FROM entries")
        self._connection.execute("DELETE FROM files")
        self.knowledge.clear()

    def count(self) -> int:
        """Returns the number of entries in the memory."""
        count: int = self._connection.execute("SELECT count(*) FROM entries").fetchone()[0]
        return count


def _list(values: Collection[int] | Collection[str]) -> str:
    """Encodes a list of values in JSON as a single SQL parameter."""
    return json.dumps(list(values))


def _entry(row: tuple[int, str, str, str, str, float, str, str]) -> MemoryEntry:
    identity, kind, key, text, source, created, participants, origin = row
    return MemoryEntry(EntryKind(kind), text, key, source, created, tuple(json.loads(participants)), origin, identity)
