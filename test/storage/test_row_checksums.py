import logging
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.storage.row_checksums import RowChecksums, is_sound, seal_of, sealing

COLUMNS = ("name", "size", "photo")
values = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text() | st.binary()


def opened(seals: RowChecksums) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, name, size, photo)")
    seals.install(connection)
    connection.executescript(sealing("rows", *COLUMNS))
    return connection


def add(connection: sqlite3.Connection, *row: object) -> None:
    connection.execute(f"INSERT INTO rows VALUES (NULL, ?1, ?2, ?3, {seal_of('?1', '?2', '?3')})", row)


def sound(connection: sqlite3.Connection) -> list[int]:
    query = f"SELECT id FROM rows WHERE {is_sound(chr(39) + 'row ' + chr(39) + ' || id', *COLUMNS)} ORDER BY id"
    return [number for (number,) in connection.execute(query)]


@given(st.tuples(values, values, values))
def test_row_with_checksum_is_valid(row: tuple[object, ...]) -> None:
    connection = opened(seals := RowChecksums("test"))
    add(connection, *row)
    assert sound(connection) == [1]
    assert seals.damage == ""
    connection.close()


@given(st.text(min_size=1).filter(lambda text: "\0" not in text), st.integers(0))
def test_detects_every_bit_flip_even_if_text_becomes_invalid_utf8(text: str, bit: int) -> None:
    connection = opened(seals := RowChecksums("test"))
    add(connection, text, 1, b"")
    content = bytearray(text.encode())
    content[bit // 8 % len(content)] ^= 1 << bit % 8
    connection.execute("UPDATE rows SET name = CAST(? AS TEXT)", (bytes(content),))
    assert sound(connection) == []
    assert "row 1" in seals.damage
    connection.close()


def test_damaged_row_is_logged_once_and_skipped(caplog: pytest.LogCaptureFixture) -> None:
    connection = opened(seals := RowChecksums("memory"))
    for name in ("one", "two", "three"):
        add(connection, name, 1.5, None)
    connection.execute("UPDATE rows SET size = 1.25 WHERE id = 2")
    with caplog.at_level(logging.ERROR):
        assert sound(connection) == [1, 3]
        assert sound(connection) == [1, 3]
    assert len(caplog.records) == 1
    assert seals.damage.startswith("The memory file was changed on the disk. Left out: row 2.")


def test_detects_value_moved_between_columns() -> None:
    connection = opened(RowChecksums("test"))
    add(connection, "ab", "c", None)
    connection.execute("UPDATE rows SET name = 'a', size = 'bc'")
    assert sound(connection) == []


def test_row_without_checksum_is_accepted() -> None:
    connection = opened(RowChecksums("test"))
    connection.execute("INSERT INTO rows (name) VALUES ('theirs')")
    assert sound(connection) == [1]


def test_migration_adds_checksums_to_existing_rows() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(
        "CREATE TABLE rows (id INTEGER PRIMARY KEY, name, size, photo); INSERT INTO rows (name) VALUES ('old');"
    )
    RowChecksums("test").install(connection)
    connection.executescript(sealing("rows", *COLUMNS))
    assert sound(connection) == [1]
    connection.execute("UPDATE rows SET name = 'new'")
    assert sound(connection) == []


def test_message_counts_additional_damaged_rows() -> None:
    connection = opened(seals := RowChecksums("test"))
    for number in range(5):
        add(connection, number, None, None)
    connection.execute("UPDATE rows SET size = 1")
    sound(connection)
    assert "row 1, row 2, row 3 and 2 more" in seals.damage
