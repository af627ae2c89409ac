"""Database tables of conversations, compatible with the SDK's own session class."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from reachy_agent_ros.agent.sessions.session import Item, Session, text_of
from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.database import Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of, sealing

LONGEST_BEGINNING = 200
"""Maximum length of the first message in a list, characters."""

_SEALED = ("session_id", "message_data", "created_at")

FORMAT = Format(
    "conversations",
    """
    CREATE TABLE IF NOT EXISTS agent_sessions (
        session_id TEXT PRIMARY KEY,
        created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
        updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
    );
    CREATE TABLE IF NOT EXISTS agent_messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL REFERENCES agent_sessions (session_id) ON DELETE CASCADE,
        message_data TEXT NOT NULL, -- JSON
        created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
    );
    CREATE INDEX IF NOT EXISTS idx_agent_messages_session_id ON agent_messages (session_id, id);
    CREATE TABLE IF NOT EXISTS branches ( -- ours
        session_id TEXT PRIMARY KEY REFERENCES agent_sessions (session_id) ON DELETE CASCADE,
        branched_from TEXT NOT NULL
    );
    """,
    (sealing("agent_messages", *_SEALED),),
)

_SOUND = is_sound("'item ' || id || ' of ' || session_id", *_SEALED)

# `json_extract` fails for invalid JSON, which would make the complete statement fail.
_BEGINS_TURN = "CASE WHEN json_valid(message_data) THEN json_extract(message_data, '$.role') END = 'user'"

_LISTED = f"""
    WITH spoken AS (
        SELECT session_id, COUNT(*) AS turns, MIN(id) AS first, MAX(id) AS last
        FROM agent_messages WHERE {_BEGINS_TURN} AND {_SOUND} GROUP BY session_id
    )
    SELECT sessions.session_id, strftime('%s', sessions.created_at), strftime('%s', updated_at),
        COALESCE(turns, 0), COALESCE(message_data, '{{}}'), COALESCE(branched_from, '')
    FROM agent_sessions AS sessions
    LEFT JOIN spoken ON spoken.session_id = sessions.session_id
    LEFT JOIN agent_messages ON agent_messages.id = first
    LEFT JOIN branches ON branches.session_id = sessions.session_id
    ORDER BY updated_at DESC, last DESC
"""  # noqa: S608 - only the constants above

_INTO = "INSERT INTO agent_messages (session_id, message_data, created_at, seal)"


class SessionTable:
    """Database tables of conversations. The caller owns the connection and commits the changes.

    Args:
        connection: Connection to a file of `FORMAT`.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def sessions(self) -> list[Session]:
        """Returns all conversations, the most recently changed first."""
        return [_session(row) for row in self._connection.execute(_LISTED)]

    def exists(self, session_id: str) -> bool:
        """Returns whether a conversation exists."""
        query = "SELECT 1 FROM agent_sessions WHERE session_id = ?"
        return self._connection.execute(query, (session_id,)).fetchone() is not None

    def check(self, session_id: str) -> None:
        """Checks that a conversation exists.

        Raises:
            AgentError: `NOT_FOUND`.
        """
        if not self.exists(session_id):
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no conversation {session_id!r:.120}.")

    def items(self, session_id: str, latest: int = -1) -> list[Any]:
        """Returns the items of a conversation, oldest first; only the last `latest` items if `latest` is not negative.

        Items that are not JSON objects are skipped, as in the SDK, so that one bad row does not break a conversation.
        Turns with an item that was changed on disk are also skipped: some servers reject a call without its result.
        """
        return [item for item, _ in self.dated_items(session_id, latest)]

    def dated_items(self, session_id: str, latest: int = -1) -> list[tuple[Any, float]]:
        """Returns the same items as `items`, each with its storage time in whole seconds since the epoch."""
        query = f"""
            SELECT CASE WHEN {_SOUND} THEN message_data END, strftime('%s', created_at), {_BEGINS_TURN}
            FROM agent_messages WHERE session_id = ? ORDER BY id DESC LIMIT ?
        """  # noqa: S608 - only constants
        rows = self._connection.execute(query, (session_id, latest)).fetchall()
        items = ((_item(data), float(kept or 0)) for data, kept in _of_sound_turns(reversed(rows)))
        return [(item, kept) for item, kept in items if item is not None]

    def add(self, session_id: str, items: Iterable[Item]) -> None:
        """Appends items to a new or existing conversation."""
        self._connection.execute("INSERT OR IGNORE INTO agent_sessions (session_id) VALUES (?)", (session_id,))
        rows = [(session_id, json.dumps(item)) for item in items]
        sealed = seal_of("?1", "?2", "CURRENT_TIMESTAMP")
        self._connection.executemany(f"{_INTO} VALUES (?1, ?2, CURRENT_TIMESTAMP, {sealed})", rows)
        touched = "UPDATE agent_sessions SET updated_at = CURRENT_TIMESTAMP WHERE session_id = ?"
        self._connection.execute(touched, (session_id,))

    def copy(self, session_id: str, branch_id: str, turns: int) -> None:
        """Copies the first turns of a conversation.

        Args:
            session_id: Existing conversation.
            branch_id: Name of the copy, which must not exist.
            turns: Number of turns; 0 for all.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the conversation has fewer turns.
        """
        beginnings = f"SELECT id FROM agent_messages WHERE session_id = ? AND {_BEGINS_TURN} ORDER BY id"  # noqa: S608 - only constants
        found = [number for (number,) in self._connection.execute(beginnings, (session_id,))]
        if not 0 <= turns <= len(found):
            message = f"The conversation {session_id!r} has {len(found)} turns: {turns} of them cannot be copied."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        (last,) = self._connection.execute("SELECT COALESCE(MAX(id), 0) FROM agent_messages").fetchone()
        end = found[turns] if 0 < turns < len(found) else last + 1
        # The copy keeps the start time of the original, but counts as changed now.
        began = "SELECT ?, created_at FROM agent_sessions WHERE session_id = ?"
        self._connection.execute(
            f"INSERT INTO agent_sessions (session_id, created_at) {began}", (branch_id, session_id)
        )
        rows = f"""
            SELECT ?1, message_data, created_at, {seal_of("?1", "message_data", "created_at")}
            FROM agent_messages WHERE session_id = ?2 AND id < ?3 AND {_SOUND} ORDER BY id
        """  # noqa: S608 - only constants
        self._connection.execute(f"{_INTO} {rows}", (branch_id, session_id, end))
        self._connection.execute("INSERT INTO branches VALUES (?, ?)", (branch_id, session_id))

    def remove(self, session_id: str) -> None:
        """Removes a conversation. Conversations that branched from it remain, but no longer refer to it."""
        self._connection.execute("DELETE FROM agent_messages WHERE session_id = ?", (session_id,))
        self._connection.execute("DELETE FROM branches WHERE session_id = ?", (session_id,))
        self._connection.execute("DELETE FROM agent_sessions WHERE session_id = ?", (session_id,))
        self._connection.execute("UPDATE branches SET branched_from = '' WHERE branched_from = ?", (session_id,))


def _session(row: tuple[Any, ...]) -> Session:
    session_id, began, changed, turns, first, branched_from = row
    beginning = plain(text_of(json.loads(first)))[:LONGEST_BEGINNING]
    # Another program may have written an invalid time. It becomes the epoch, so that lists do not fail.
    return Session(session_id, float(began or 0), float(changed or 0), turns, beginning, branched_from)


def _of_sound_turns(rows: Iterable[tuple[str | None, str | None, bool | None]]) -> Iterator[tuple[str, str | None]]:
    """Yields the items of all turns that contain no damaged item, with their storage times.

    Args:
        rows: Data (None if damaged), time, and whether a turn begins with the item.
    """
    turns: list[list[tuple[str | None, str | None]]] = [[]]
    for data, kept, begins in rows:
        if begins:
            turns.append([])
        turns[-1].append((data, kept))
    for turn in turns:
        sound = [(data, kept) for data, kept in turn if data is not None]
        if len(sound) == len(turn):
            yield from sound


def _item(data: str) -> Any:
    try:
        item = json.loads(data)
    except ValueError:
        return None
    return item if isinstance(item, dict) else None
