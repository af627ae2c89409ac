"""Target for damaged SQLite files."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from fuzz.file_target import FileTarget
from fuzz.mutation.byte_mutation import mutated_bytes
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.planning.step import Step
from reachy_agent_ros.agent.planning.task_tree import TaskTree

_TREE = TaskTree("Look around", (Step(1, "Look left.", "The door is seen."), Step(2, "Look right.", "The window.")))


def databases() -> FileTarget:
    """Returns a target that reads and writes the database of plans.

    The other databases use the same code.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "plans.sqlite3")
        store = PlanStore(path)
        for number in range(30):
            store.put(f"conversation {number}", _TREE)
        store.close()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")  # keeps all data in one file
        sample = path.read_bytes()
    return FileTarget("plans.sqlite3", [sample], mutated_bytes, _use)


def _use(path: Path) -> None:
    store = PlanStore(path)
    try:
        store.load()
        store.put("another", _TREE)
        assert store.load()["another"] == _TREE, "the stored plan is missing"
    finally:
        store.close()
