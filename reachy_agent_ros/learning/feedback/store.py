"""Feedback store: actions, judgments and rewards in a database, with a spool for outages."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Select, delete, select
from sqlalchemy import Row as Found
from sqlalchemy.dialects import postgresql, sqlite

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.feedback.database import DatabaseGoneError, FeedbackDatabase, file_of
from reachy_agent_ros.learning.feedback.rows import Row, act_of_row
from reachy_agent_ros.learning.feedback.schema import (
    ACTS,
    JUDGMENTS,
    METADATA,
    OUTCOMES,
    REWARDS,
    TABLES,
    only_sound,
    seal_row,
)
from reachy_agent_ros.learning.feedback.spool import Spool

RETRY = 1.0
"""Time between attempts to use an unavailable database, s. In the meantime, rows go to the spool."""

_log = logging.getLogger(__name__)


class FeedbackStore:
    """Feedback database with its spool. Several threads and processes may use it.

    While the database is unavailable (locked, full, stopped, or without its file), rows go to the spool. When the
    database is available again, each of these rows is inserted once and in order. Results leave out rows that are
    damaged on disk.

    Args:
        database: A SQLite file, or a PostgreSQL URL; None for `feedback.db` in the state directory.
        spool: The spool file; None for a file next to the SQLite file, or in the state directory.

    Attributes:
        problem: Sentence that explains why the database is unavailable; empty if it is available.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, as in `open_engine`; `STORAGE_FAILED` if the database file cannot be created,
            the spool cannot be read, or a later version of this program wrote one of them.
    """

    def __init__(self, database: Path | str | None = None, spool: Path | None = None) -> None:
        where = state_directory() / "feedback.db" if database is None else database
        beside = file_of(where) or state_directory() / "feedback.db"
        self._database = FeedbackDatabase(where)
        self._spool = Spool(spool or beside.with_suffix(".spool"))
        self._lock = threading.RLock()
        self._again: Deadline | None = None
        self.problem = ""
        try:
            self.replay()
        except DatabaseGoneError as gone:
            self._fail(gone)

    @property
    def damage(self) -> str:
        """Sentence that lists the damaged rows that were skipped; empty if no row was damaged."""
        return self._database.damage

    @property
    def spools(self) -> bool:
        """Whether the spool contains rows."""
        return not self._spool.is_empty

    def add(self, rows: Sequence[Row]) -> None:
        """Stores all rows or none, and waits until they are on disk. Does not change existing rows.

        Raises:
            AgentError: `STORAGE_FAILED` if neither the database nor the spool can be written, the spool cannot be read,
                or a later version of this program wrote one of them.
        """
        with self._lock:
            if self._again is None or self._again.passed:
                try:
                    self._spool.drain(self._insert)
                    self._insert([rows])
                except DatabaseGoneError as gone:
                    self._fail(gone)
                else:
                    self._recover()
                    return
            self._spool.append(rows)

    def replay(self) -> int:
        """Moves the rows in the spool to the database.

        Returns:
            Number of batches moved.

        Raises:
            AgentError: `STORAGE_FAILED`. Rows that were not moved stay in the spool.
        """
        with self._lock:
            count = self._spool.drain(self._insert)
            with self._database.reading():
                self._recover()
            return count

    def acts(self, turn_id: UUID | None = None, limit: int = 100) -> list[ActionRecord]:
        """Returns the latest actions, in ascending order of their start.

        Args:
            turn_id: Turn to select; None for all turns.
            limit: Maximum number of actions.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        query = select(ACTS, OUTCOMES.c.ended, OUTCOMES.c.outcome)
        query = query.outerjoin(OUTCOMES, OUTCOMES.c.act_id == ACTS.c.act_id)
        if turn_id is not None:
            query = query.where(ACTS.c.turn_id == str(turn_id))
        found = self.find(query.order_by(ACTS.c.began.desc()).limit(limit))
        return [act_of_row(row._mapping) for row in reversed(found)]

    def find(self, query: Select[Any]) -> Sequence[Found[Any]]:
        """Moves the rows in the spool to the database, then runs a query over the tables of `schema`.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._lock:
            self._spool.drain(self._insert)
            with self._database.reading() as connection:
                return connection.execute(only_sound(connection, query)).all()

    def rows(self) -> Iterator[Row]:
        """Yields all rows of all tables.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        for table in TABLES:
            for found in self.find(select(table).order_by(*table.primary_key)):
                yield Row(table.name, dict(found._mapping))

    def forget(self, person: str) -> int:
        """Deletes the judgments of a person and the resulting rewards.

        SQLite overwrites the deleted bytes.

        Args:
            person: Name of the person as in the judgments; empty for judgments by unknown people.

        Returns:
            Number of deleted judgments.

        Raises:
            AgentError: `STORAGE_FAILED`, in which case the judgments may or may not be deleted. If they are deleted but
                another process kept SQLite from overwriting them, another call does this.
        """
        return self._delete(select(JUDGMENTS.c.feedback_id).where(JUDGMENTS.c.person == person))

    def retain(self, since: float) -> int:
        """Deletes old judgments. Also deletes old actions that have no reward.

        Args:
            since: Earliest time to keep, s since the epoch.

        Returns:
            Number of deleted judgments.

        Raises:
            AgentError: `STORAGE_FAILED`, in which case the judgments may or may not be deleted.
        """
        return self._delete(select(JUDGMENTS.c.feedback_id).where(JUDGMENTS.c.given < since), acts_before=since)

    def close(self) -> None:
        """Closes the database connections."""
        self._database.close()

    def _insert(self, batches: Sequence[Sequence[Row]]) -> None:
        with self._database.writing() as connection:
            insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
            for row in (row for batch in batches for row in batch):
                table = METADATA.tables[row.table]
                connection.execute(insert(table).values(dict(row.values)).on_conflict_do_nothing())
                seal_row(connection, table, row.values)

    def _delete(self, judgments: Select[tuple[str]], acts_before: float | None = None) -> int:
        with self._lock:
            self._spool.drain(self._insert)
            with self._database.writing() as connection:
                connection.execute(delete(REWARDS).where(REWARDS.c.feedback_id.in_(judgments)))
                count = connection.execute(delete(JUDGMENTS).where(JUDGMENTS.c.feedback_id.in_(judgments))).rowcount
                if acts_before is not None:
                    _delete_acts(connection, acts_before)
            self._database.empty_log()
            return count

    def _fail(self, gone: DatabaseGoneError) -> None:
        self._again = Deadline(RETRY)
        if not self.problem:
            _log.warning("%s New feedback goes to the spool until it is available again.", gone.message)
        self.problem = gone.message

    def _recover(self) -> None:
        self._again, self.problem = None, ""


def _delete_acts(connection: Connection, before: float) -> None:
    rewarded = select(REWARDS.c.act_id)
    useless = select(ACTS.c.act_id).where(ACTS.c.began < before, ACTS.c.act_id.not_in(rewarded))
    connection.execute(delete(OUTCOMES).where(OUTCOMES.c.act_id.in_(useless)))
    connection.execute(delete(ACTS).where(ACTS.c.act_id.in_(useless)))
