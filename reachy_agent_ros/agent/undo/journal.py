"""Journal of acts, with the state before each of them, so that a person can undo the last act."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of

FILE_NAME = "undo.sqlite3"
"""Name of the file in the state directory."""

EVERYWHERE = "*"
"""Session id of an act that belongs to no conversation. Every conversation can undo it."""

KEPT = 86400.0
"""Time for which an act can be undone, s. People do not mean yesterday's act, and its texts should not stay on disk."""

_SEALED = ("session_id", "turn_id", "tool", "kind", "key", "before", "after")
_FORMAT = Format(
    "undo journal",
    "CREATE TABLE acts (number INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, turn_id TEXT NOT NULL, "
    "tool TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, before TEXT, after TEXT, begun REAL NOT NULL, "
    "seal BLOB);",
)
_SOUND = is_sound("'act ' || number", *_SEALED)
_PARAMETERS = tuple(f"?{number}" for number in range(1, 8))
# Only constants become part of the statements.
_ADD = (
    f"INSERT INTO acts ({', '.join(_SEALED)}, begun, seal) "  # noqa: S608
    f"VALUES ({', '.join(_PARAMETERS)}, ?8, {seal_of(*_PARAMETERS)})"
)
_END = f"UPDATE acts SET after = ?2, seal = {seal_of(*_SEALED[:-1], '?2')} WHERE number = ?1"  # noqa: S608
_LAST = f"""SELECT number, {", ".join(_SEALED)} FROM acts WHERE {_SOUND} AND turn_id = (
    SELECT turn_id FROM acts WHERE session_id IN (?1, ?2) AND begun > ?3 ORDER BY number DESC LIMIT 1
) AND session_id IN (?1, ?2) ORDER BY number DESC"""  # noqa: S608


def journal_path() -> Path:
    """Returns the path of the journal in the state directory."""
    return state_directory() / FILE_NAME


@dataclass(frozen=True)
class Act:
    """Act in the journal.

    Attributes:
        session_id: Conversation of the act, or `EVERYWHERE`.
        turn_id: Turn of the act. The acts of one turn are undone together.
        tool: Tool that acted.
        kind: Kind of state that the act changes, such as "note"; empty if the act cannot be undone.
        key: What the act changes, such as the name of the note.
        before: State before the act; None if the act cannot be undone.
        after: State after the act; None if it is unknown, as after a crash.
        number: Number in the journal, in the order of the acts.
    """

    session_id: str
    turn_id: uuid.UUID
    tool: str
    kind: str = ""
    key: str = ""
    before: str | None = None
    after: str | None = None
    number: int = 0


class UndoJournal:
    """Journal of acts in a SQLite file. Thread-safe. All methods wait for the disk.

    An act is written before it is carried out. A restoration is safe to repeat, so the journal is right whether or not
    the process died before, during or after the act.

    Args:
        path: Path of the file, whose folder is created if necessary.

    Raises:
        AgentError: `STORAGE_FAILED`, as for all methods.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _FORMAT, patience=0.0)  # a starting turn waits for this

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return self._database.damage

    def begin(self, act: Act) -> int:
        """Writes an act that is about to be carried out, and deletes outdated acts. Returns the act's number."""
        row = (act.session_id, str(act.turn_id), act.tool, act.kind, act.key, act.before, act.after, time.time())
        with self._database.writing() as connection:
            connection.execute("DELETE FROM acts WHERE begun < ?", (time.time() - KEPT,))
            return connection.execute(_ADD, row).lastrowid or 0

    def end(self, number: int, after: str) -> None:
        """Stores the state after an act."""
        with self._database.writing() as connection:
            connection.execute(_END, (number, after))

    def last(self, session_id: str) -> list[Act]:
        """Returns the acts of the last turn of a conversation that acted, the latest act first."""
        with self._database.reading() as connection:
            rows = connection.execute(_LAST, (session_id, EVERYWHERE, time.time() - KEPT)).fetchall()
        return [
            Act(session, uuid.UUID(turn), tool, kind, key, before, after, number)
            for number, session, turn, tool, kind, key, before, after in rows
        ]

    def remove(self, numbers: Sequence[int]) -> None:
        """Deletes acts that have been undone or have changed nothing, and their texts."""
        self._delete("number = ?", [(number,) for number in numbers])

    def forget(self, kind: str, key: str | None = None) -> None:
        """Deletes all acts that changed something which a person asks the robot to forget, and their texts.

        Args:
            kind: Kind of the state.
            key: What the acts changed; None for everything of this kind.
        """
        self._delete("kind = ?1 AND (?2 IS NULL OR key = ?2)", [(kind, key)])

    def forget_conversation(self, session_id: str) -> None:
        """Deletes the acts of a conversation, and their texts."""
        self._delete("session_id = ?", [(session_id,)])

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def _delete(self, condition: str, rows: Sequence[tuple[object, ...]]) -> None:
        with self._database.writing() as connection:
            connection.executemany(f"DELETE FROM acts WHERE {condition}", rows)  # noqa: S608 - our own conditions
        self._database.erase()
