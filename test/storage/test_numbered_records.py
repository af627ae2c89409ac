from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.numbered_records import NumberedRecords


@dataclass(frozen=True)
class Note:
    text: str
    identity: int = 0


FORMAT = Format("notes", "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT NOT NULL, seal BLOB);")
NOTES = NumberedRecords("notes", "note", Note)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    database = Database(tmp_path / "notes.sqlite3", FORMAT)
    with database.writing() as connection:
        yield connection
    database.close()


def test_loads_what_was_added_replaced_and_not_removed(connection: sqlite3.Connection) -> None:
    milk, eggs = (NOTES.add(connection, Note(text)) for text in ("milk", "eggs"))
    NOTES.replace(connection, [Note("oat milk", milk.identity)])
    NOTES.remove(connection, [eggs.identity])
    assert NOTES.load(connection) == [Note("oat milk", milk.identity)]


def test_number_of_removed_record_is_not_used_again(connection: sqlite3.Connection) -> None:
    first = NOTES.add(connection, Note("milk"))
    NOTES.remove(connection, [first.identity])
    assert NOTES.add(connection, Note("eggs")).identity > first.identity


def test_restores_removed_record_with_its_number(connection: sqlite3.Connection) -> None:
    note = NOTES.add(connection, Note("milk"))
    NOTES.remove(connection, [note.identity])
    NOTES.restore(connection, [note])
    assert NOTES.load(connection) == [note]


@pytest.mark.parametrize("statement", ['UPDATE notes SET note = \'{"text": "tea"}\'', "UPDATE notes SET id = 9"])
def test_record_with_wrong_checksum_is_skipped(connection: sqlite3.Connection, statement: str) -> None:
    NOTES.add(connection, Note("milk"))
    connection.execute(statement)
    assert NOTES.load(connection) == []


def test_record_of_another_version_is_skipped_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert NOTES.read(3, '{"title": "milk"}') is None
    assert "The note 3 cannot be read" in caplog.text
