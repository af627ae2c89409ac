"""Database that keeps plans across restarts."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of, sealing

FILE_NAME = "plans.sqlite3"
"""Name of the file in the state directory."""

KEPT = 30 * 86400.0
"""Time after which an unchanged plan is deleted, s."""

_log = logging.getLogger(__name__)
_TREE = TypeAdapter(TaskTree)
_SEALED = ("session_id", "tree")
_FORMAT = Format(
    "plans",
    "CREATE TABLE plans (session_id TEXT PRIMARY KEY, tree TEXT NOT NULL, changed REAL NOT NULL);",
    (sealing("plans", *_SEALED),),
)
_SOUND = is_sound("'the plan of ' || session_id", *_SEALED)
_ALL = f"SELECT session_id, tree FROM plans WHERE {_SOUND}"  # noqa: S608 - only constants, as below
_PUT = f"INSERT OR REPLACE INTO plans VALUES (?1, ?2, ?3, {seal_of('?1', '?2')})"  # noqa: S608


class PlanStore:
    """Store of plans by conversation in a SQLite file. Thread-safe.

    A damaged file is renamed and replaced by a new file.

    Args:
        path: Path of the file, whose folder is created if necessary.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _FORMAT, patience=0.0)  # a starting turn waits for this
        with self._database.writing() as connection:
            connection.execute("DELETE FROM plans WHERE changed < ?", (time.time() - KEPT,))

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return self._database.damage

    def close(self) -> None:
        """Closes the file of the plans."""
        self._database.close()

    def load(self) -> dict[str, TaskTree]:
        """Returns all plans by conversation. Logs and skips unreadable plans.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._database.reading() as connection:
            rows = connection.execute(_ALL).fetchall()
        trees = {}
        for session_id, tree in rows:
            try:
                trees[session_id] = _TREE.validate_json(tree)
            except ValidationError as error:
                _log.error("The plan of the conversation %r cannot be read: %s", session_id, error)
        return trees

    def has(self, session_id: str) -> bool:
        """Returns whether a conversation has a plan.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._database.reading() as connection:
            return connection.execute("SELECT 1 FROM plans WHERE session_id = ?", (session_id,)).fetchone() is not None

    def put(self, session_id: str, tree: TaskTree | None) -> None:
        """Stores a conversation's plan and waits until it is on disk. If the plan is None, deletes the stored plan.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._database.writing() as connection:
            if tree is None:
                connection.execute("DELETE FROM plans WHERE session_id = ?", (session_id,))
            else:
                row = (session_id, _TREE.dump_json(tree).decode(), time.time())
                connection.execute(_PUT, row)
