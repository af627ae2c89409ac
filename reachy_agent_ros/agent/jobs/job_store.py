"""Database of background jobs."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from reachy_agent_ros.agent.jobs.job import Job
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of

FILE_NAME = "jobs.sqlite3"
"""Name of the file in the state directory."""

_log = logging.getLogger(__name__)
_JOB = TypeAdapter(Job)
_FORMAT = Format(
    "jobs",
    # AUTOINCREMENT, because a person may still refer to the id of a deleted job.
    "CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, seal BLOB);",
)
# Only constants, as below. A job is sealed after it has received its number.
_SOUND = is_sound("'job ' || id", "id", "job")
_LOAD = f"SELECT id, job FROM jobs WHERE {_SOUND} ORDER BY id"  # noqa: S608
_SEAL = f"UPDATE jobs SET job = ?2, seal = {seal_of('?1', '?2')} WHERE id = ?1"  # noqa: S608


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
            rows = connection.execute(_LOAD).fetchall()
        return [job for identity, text in rows if (job := _job(identity, text)) is not None]

    def add(self, job: Job) -> Job:
        """Stores a new job. Returns it with its number."""
        with self._database.writing() as connection:
            added = connection.execute("INSERT INTO jobs (job) VALUES ('')")
            stored = replace(job, identity=added.lastrowid or 0)
            connection.execute(_SEAL, _row(stored))
        return stored

    def replace(self, jobs: Iterable[Job]) -> None:
        """Stores changed jobs in one transaction."""
        with self._database.writing() as connection:
            connection.executemany(_SEAL, [_row(job) for job in jobs])

    def remove(self, identities: Iterable[int]) -> None:
        """Deletes jobs."""
        with self._database.writing() as connection:
            connection.executemany("DELETE FROM jobs WHERE id = ?", [(identity,) for identity in identities])


def _row(job: Job) -> tuple[int, str]:
    return job.identity, _JOB.dump_json(job, exclude={"identity"}).decode()


def _job(identity: int, text: str) -> Job | None:
    try:
        return replace(_JOB.validate_json(text), identity=identity)
    except ValidationError as error:
        _log.error("The job %d cannot be read: %s", identity, error)
        return None
