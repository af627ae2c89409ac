"""Database of background jobs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from reachy_agent_ros.agent.jobs.job import Job
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.numbered_records import NumberedRecords

FILE_NAME = "jobs.sqlite3"
"""Name of the file in the state directory."""

_FORMAT = Format(
    "jobs",
    # AUTOINCREMENT, because a person may still refer to the id of a deleted job.
    "CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, seal BLOB);",
)
_JOBS = NumberedRecords("jobs", "job", Job)


class JobStore:
    """Store of jobs in a SQLite file. Every change is on disk when its method returns. Thread-safe.

    A damaged file is renamed and replaced by a new file.

    Args:
        path: Path of the file, whose folder is created if necessary.

    Raises:
        AgentError: `STORAGE_FAILED`, as every method.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _FORMAT)

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return self._database.damage

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def load(self) -> list[Job]:
        """Returns all jobs, the oldest first. Logs and skips unreadable ones."""
        with self._database.reading() as connection:
            return _JOBS.load(connection)

    def add(self, job: Job) -> Job:
        """Stores a new job. Returns it with its number."""
        with self._database.writing() as connection:
            return _JOBS.add(connection, job)

    def replace(self, jobs: Iterable[Job]) -> None:
        """Stores changed jobs in one transaction."""
        with self._database.writing() as connection:
            _JOBS.replace(connection, jobs)

    def remove(self, identities: Iterable[int]) -> None:
        """Deletes jobs."""
        with self._database.writing() as connection:
            _JOBS.remove(connection, identities)
