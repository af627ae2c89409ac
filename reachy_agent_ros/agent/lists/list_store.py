"""Store of named lists, such as a shopping list, on disk."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of

FILE_NAME = "lists.sqlite3"
"""Name of the file in the state directory."""

MAIN = "main"
"""Name of the list that people call "my list"."""

LONGEST = 200
"""Maximum length of an item or of a list's name, characters."""

MOST_ITEMS = 500
"""Maximum number of items of a list."""

_SEALED = ("list", "item", "added")
_FORMAT = Format(
    "lists",
    "CREATE TABLE items (number INTEGER PRIMARY KEY AUTOINCREMENT, list TEXT NOT NULL, item TEXT NOT NULL, "
    "added REAL NOT NULL, seal BLOB); CREATE INDEX items_of_list ON items (list);",
)
_SOUND = is_sound("'the item ' || item", *_SEALED)
# Only constants become part of the statements.
_ADD = f"INSERT INTO items (list, item, added, seal) VALUES (?1, ?2, ?3, {seal_of('?1', '?2', '?3')})"  # noqa: S608
_ITEMS = f"SELECT item FROM items WHERE list = ? AND {_SOUND} ORDER BY number"  # noqa: S608
_NAMES = f"SELECT DISTINCT list FROM items WHERE {_SOUND} ORDER BY list"  # noqa: S608


def lists_path() -> Path:
    """Returns the path of the lists in the state directory."""
    return state_directory() / FILE_NAME


class ListStore:
    """Store of named lists in a SQLite file. Thread-safe; several processes may use one file.

    Changes are on disk when a method returns. A list exists as long as it has items. Names and items that differ only
    in case or spaces are the same.

    Args:
        path: Path of the file, whose folder is created if necessary.

    Raises:
        AgentError: `STORAGE_FAILED`, as for all methods.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _FORMAT)

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return self._database.damage

    def names(self) -> list[str]:
        """Returns the names of all lists."""
        with self._database.reading() as connection:
            return [name for (name,) in connection.execute(_NAMES)]

    def items(self, name: str) -> list[str]:
        """Returns the items of a list in the order in which they were added; an empty list if there is none."""
        with self._database.reading() as connection:
            return _items(connection, list_name(name))

    def add(self, name: str, items: Sequence[str]) -> list[str]:
        """Adds items to a list. Returns those that were not on the list yet.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a name or an item is empty or too long, or the list would be too long.
        """
        name, clean = list_name(name), [_clean(item) for item in items]
        with self._database.writing() as connection:
            there = _items(connection, name)
            known = {item.casefold() for item in there}
            fresh = {item.casefold(): item for item in reversed(clean) if item.casefold() not in known}
            new = [*reversed(fresh.values())]
            if len(there) + len(new) > MOST_ITEMS:
                message = f"The list {name} would have more than {MOST_ITEMS} items. Take some off first."
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
            _insert(connection, name, new)
        return new

    def remove(self, name: str, items: Sequence[str]) -> list[str]:
        """Takes items off a list. Returns them as they were written.

        Raises:
            AgentError: `NOT_FOUND`: an item is not on the list, of which nothing is then removed.
        """
        name = list_name(name)
        with self._database.writing() as connection:
            there = {item.casefold(): item for item in _items(connection, name)}
            missing = [item for item in items if _clean(item).casefold() not in there]
            if missing:
                raise AgentError(ErrorCode.NOT_FOUND, f"There is no {missing[0]!r:.80} on the list {name}.")
            found = [there[_clean(item).casefold()] for item in items]
            connection.executemany("DELETE FROM items WHERE list = ? AND item = ?", [(name, item) for item in found])
        return found

    def replace(self, name: str, items: Sequence[str]) -> None:
        """Replaces all items of a list."""
        name = list_name(name)
        with self._database.writing() as connection:
            connection.execute("DELETE FROM items WHERE list = ?", (name,))
            _insert(connection, name, items)

    def close(self) -> None:
        """Closes the file."""
        self._database.close()


def list_name(name: str) -> str:
    """Returns the name under which a list is stored: "shopping" for "Shopping list".

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the name is empty or too long.
    """
    words = _clean(name).casefold().split()
    return " ".join(words[:-1] if len(words) > 1 and words[-1] == "list" else words)


def _clean(text: str) -> str:
    clean = " ".join(text.split())
    if not 0 < len(clean) <= LONGEST or not clean.isprintable():
        message = f"Invalid item or list name {clean!r:.80}: expected 1 to {LONGEST} printable characters."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    return clean


def _items(connection: sqlite3.Connection, name: str) -> list[str]:
    return [item for (item,) in connection.execute(_ITEMS, (name,))]


def _insert(connection: sqlite3.Connection, name: str, items: Sequence[str]) -> None:
    connection.executemany(_ADD, [(name, item, time.time()) for item in items])
