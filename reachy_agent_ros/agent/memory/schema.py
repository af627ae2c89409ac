"""The tables of the memory file."""

from reachy_agent_ros.storage.database import Format
from reachy_agent_ros.storage.row_seals import seal_of, sealing

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
