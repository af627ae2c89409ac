"""Check sums of rows in SQLite, so that a bit that flipped on the disk is noticed before its row is believed.

SQLite's own checks look at how pages fit together: a letter that became another one within a text passes all of them.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import struct
from collections.abc import Iterable

_log = logging.getLogger(__name__)

Value = int | float | bytes | None
"""What the functions take; texts as bytes, because after a flipped bit they may be no texts any more."""


class RowChecksums:
    """SQL functions that seal rows and check them, and what they found.

    `seal(value, ...)` is the check sum of a row's values. `sound(row, seal, value, ...)` is true where the values are
    those that were sealed; a row without a seal is believed, because another program wrote it. A row that is not sound
    is told in the log, once, under the name `row`.

    Args:
        content: What the rows are part of, for people: "memory".
    """

    def __init__(self, content: str) -> None:
        self._content = content
        self._damaged: dict[str, None] = {}

    @property
    def damage(self) -> str:
        """What was found damaged and left out, one sentence; empty where nothing was."""
        if not self._damaged:
            return ""
        rows = list(self._damaged)
        more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
        return (
            f"The {self._content} file was changed on the disk. Left out: {', '.join(rows[:3])}{more}. "
            "A backup may have it: reachy-agent restore."
        )

    def install(self, connection: sqlite3.Connection) -> None:
        """Gives a connection the functions."""
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
    """SQL that seals columns, or other expressions."""
    return f"seal({_values(columns)})"


def sealing(table: str, *columns: str) -> str:
    """SQL that gives a table of an earlier version its seals."""
    return f"ALTER TABLE {table} ADD COLUMN seal BLOB; UPDATE {table} SET seal = {seal_of(*columns)};"  # noqa: S608 - names of tables of ours


def is_sound(row: str, *columns: str, seal: str = "seal") -> str:
    """SQL that checks columns which `seal_of` sealed.

    Args:
        row: Expression that names the row, for people.
        columns: As they were sealed.
        seal: Column of the seal.
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
    """With its kind and length, so that no two rows are the same bytes."""
    if value is None:
        return b"n"
    if isinstance(value, int):
        return b"i%d;" % value
    if isinstance(value, float):
        return b"f" + struct.pack("<d", value)
    return b"b%d;" % len(value) + value
