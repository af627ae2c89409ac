"""Checksums of SQLite rows, which detect disk errors before a row is used.

SQLite's own checks verify the structure of pages, but do not notice a changed letter in a text.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import struct
from collections.abc import Iterable

_log = logging.getLogger(__name__)

Value = int | float | bytes | None
"""Argument of the SQL functions. Text is passed as bytes: a flipped bit may have made it invalid UTF-8."""


class RowChecksums:
    """SQL functions that compute and verify checksums of rows, and a list of the damaged rows.

    `seal(value, ...)` is the checksum of a row's values. `sound(row, seal, value, ...)` is true if the checksum matches
    the values. A row without a seal is accepted, because another program wrote it. A damaged row is logged once, under
    the name `row`.

    Args:
        content: Name of the content for error messages, such as "memory".
    """

    def __init__(self, content: str) -> None:
        self._content = content
        self._damaged: dict[str, None] = {}

    @property
    def damage(self) -> str:
        """Message about damaged rows that were skipped. It is empty if no row is damaged."""
        if not self._damaged:
            return ""
        rows = list(self._damaged)
        more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
        return (
            f"The {self._content} file was changed on the disk. Left out: {', '.join(rows[:3])}{more}. "
            "A backup may have it: reachy-agent restore."
        )

    def install(self, connection: sqlite3.Connection) -> None:
        """Registers the SQL functions on a connection."""
        connection.create_function("seal", -1, _seal, deterministic=True)
        connection.create_function("sound", -1, self._sound)

    def _sound(self, row: bytes | None, seal: bytes | None, *values: Value) -> bool:
        if seal is None or seal == _seal(*values):
            return True
        name = (row or b"a row").decode(errors="backslashreplace")
        if name not in self._damaged:
            self._damaged[name] = None
            _log.error("The %s file was changed on the disk: %s is damaged and left out.", self._content, name)
        return False


def seal_of(*columns: str) -> str:
    """Returns SQL that computes the checksum of some columns or other expressions."""
    return f"seal({_values(columns)})"


def sealing(table: str, *columns: str) -> str:
    """Returns SQL that adds checksums to a table of an earlier version."""
    return f"ALTER TABLE {table} ADD COLUMN seal BLOB; UPDATE {table} SET seal = {seal_of(*columns)};"  # noqa: S608 - our own table names


def is_sound(row: str, *columns: str, seal: str = "seal") -> str:
    """Returns SQL that compares columns with the checksum from `seal_of`.

    Args:
        row: SQL expression that names the row for people.
        columns: The columns, in the order of `seal_of`.
        seal: Column of the checksum.
    """
    return f"sound({_values((row, seal, *columns))})"


def _values(columns: Iterable[str]) -> str:
    return ", ".join(f"CASE typeof({one}) WHEN 'text' THEN CAST({one} AS BLOB) ELSE {one} END" for one in columns)


def _seal(*values: Value) -> bytes:
    digest = hashlib.sha256()
    for value in values:
        digest.update(_encoded(value))
    return digest.digest()


def _encoded(value: Value) -> bytes:
    """Encodes a value with its type and length, so that different rows are always encoded differently."""
    if value is None:
        return b"n"
    if isinstance(value, int):
        return b"i%d;" % value
    if isinstance(value, float):
        return b"f" + struct.pack("<d", value)
    return b"b%d;" % len(value) + value
