"""Plans on disk, so that a restart forgets none."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of, sealing

FILE_NAME = "plans.sqlite3"
"""In the state directory."""

KEPT = 30 * 86400.0
"""Seconds after which a plan that nobody went on with is given up."""

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
    """One plan a conversation in one SQLite file, for any thread. A damaged file is set aside, and a new one begun.

    Args:
        path: The file; its folder is made if need be.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _FORMAT, patience=0.0)  # a turn that begins waits for this
        with self._database.writing() as connection:
            connection.execute("DELETE FROM plans WHERE changed < ?", (time.time() - KEPT,))

    @property
    def damage(self) -> str:
        """What of the file was found damaged, for people; empty where nothing was."""
        return self._database.damage

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def load(self) -> dict[str, TaskTree]:
        """Every plan by its conversation; one that cannot be read is given up, for the others' sake.

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
        """Whether a conversation has a plan.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._database.reading() as connection:
            return connection.execute("SELECT 1 FROM plans WHERE session_id = ?", (session_id,)).fetchone() is not None

    def put(self, session_id: str, tree: TaskTree | None) -> None:
        """Stores a conversation's plan, or that it has none any more; on disk when it returns.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._database.writing() as connection:
            if tree is None:
                connection.execute("DELETE FROM plans WHERE session_id = ?", (session_id,))
            else:
                row = (session_id, _TREE.dump_json(tree).decode(), time.time())
                connection.execute(_PUT, row)
