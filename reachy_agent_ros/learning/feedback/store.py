"""Acts, judgements and rewards on disk, before anybody is told that they are."""

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
    JUDGEMENTS,
    METADATA,
    OUTCOMES,
    REWARDS,
    TABLES,
    only_sound,
    seal_row,
)
from reachy_agent_ros.learning.feedback.spool import Spool

RETRY = 1.0
"""s after a failure before the database is asked again; what comes in until then goes to the spool."""

_log = logging.getLogger(__name__)


class FeedbackStore:
    """One database and its spool, for several threads and processes.

    While the database is gone (locked, full, stopped, its file away) rows wait in the spool, and follow in order when
    it is back, none of them twice. A row that was changed on the disk is left out of all answers.

    Args:
        database: A SQLite file, or a URL of PostgreSQL; None: `feedback.db` in the state directory.
        spool: File of the rows that wait; None: beside the SQLite file, or in the state directory.

    Attributes:
        problem: Why the database cannot be used now, a sentence; empty if it can.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for a URL that is none; `STORAGE_FAILED` if the file cannot be made, or a later
            version of this program wrote it.
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
        """Which rows were found damaged and left out, one sentence for people; empty where none were."""
        return self._database.damage

    @property
    def spools(self) -> bool:
        """Whether rows wait in the spool."""
        return not self._spool.is_empty

    def add(self, rows: Sequence[Row]) -> None:
        """Stores rows, all or none; on disk when this returns. Those that are there already stay as they are.

        Raises:
            AgentError: `STORAGE_FAILED`: neither the database nor the spool can be written.
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
        """Puts what waits in the spool into the database.

        Returns:
            Batches that waited.

        Raises:
            AgentError: `STORAGE_FAILED`: the database is gone; they go on waiting.
        """
        with self._lock:
            count = self._spool.drain(self._insert)
            with self._database.reading():
                self._recover()
            return count

    def acts(self, turn_id: UUID | None = None, limit: int = 100) -> list[ActionRecord]:
        """The latest acts, the oldest of them first.

        Args:
            turn_id: Of one turn; None: of all.
            limit: At most so many.

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
        """What a query over the tables of `schema` finds; what waited in the spool is among it.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._lock:
            self._spool.drain(self._insert)
            with self._database.reading() as connection:
                return connection.execute(only_sound(connection, query)).all()

    def rows(self) -> Iterator[Row]:
        """All rows: what acts, judgements and rewards there are.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        for table in TABLES:
            for found in self.find(select(table).order_by(*table.primary_key)):
                yield Row(table.name, dict(found._mapping))

    def forget(self, person: str) -> int:
        """Deletes what a person gave, and the rewards made from it; in SQLite their bytes are overwritten.

        Args:
            person: As in their judgements; empty for those of whom nobody knows who gave them.

        Returns:
            Judgements that are gone.

        Raises:
            AgentError: `STORAGE_FAILED`; then all of it is still there.
        """
        return self._delete(select(JUDGEMENTS.c.feedback_id).where(JUDGEMENTS.c.person == person))

    def retain(self, since: float) -> int:
        """Deletes judgements given before a moment, and acts that began before it and have no reward.

        Args:
            since: s since the epoch.

        Returns:
            Judgements that are gone.

        Raises:
            AgentError: `STORAGE_FAILED`; then all of it is still there.
        """
        return self._delete(select(JUDGEMENTS.c.feedback_id).where(JUDGEMENTS.c.given < since), acts_before=since)

    def close(self) -> None:
        """Closes the connections."""
        self._database.close()

    def _insert(self, batches: Sequence[Sequence[Row]]) -> None:
        with self._database.writing() as connection:
            insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
            for row in (row for batch in batches for row in batch):
                table = METADATA.tables[row.table]
                connection.execute(insert(table).values(dict(row.values)).on_conflict_do_nothing())
                seal_row(connection, table, row.values)

    def _delete(self, judgements: Select[tuple[str]], acts_before: float | None = None) -> int:
        with self._lock:
            self._spool.drain(self._insert)
            with self._database.writing() as connection:
                connection.execute(delete(REWARDS).where(REWARDS.c.feedback_id.in_(judgements)))
                count = connection.execute(delete(JUDGEMENTS).where(JUDGEMENTS.c.feedback_id.in_(judgements))).rowcount
                if acts_before is not None:
                    _delete_acts(connection, acts_before)
            self._database.empty_log()
            return count

    def _fail(self, gone: DatabaseGoneError) -> None:
        self._again = Deadline(RETRY)
        if not self.problem:
            _log.warning("%s It waits in a spool until then.", gone.message)
        self.problem = gone.message

    def _recover(self) -> None:
        self._again, self.problem = None, ""


def _delete_acts(connection: Connection, before: float) -> None:
    rewarded = select(REWARDS.c.act_id)
    useless = select(ACTS.c.act_id).where(ACTS.c.began < before, ACTS.c.act_id.not_in(rewarded))
    connection.execute(delete(OUTCOMES).where(OUTCOMES.c.act_id.in_(useless)))
    connection.execute(delete(ACTS).where(ACTS.c.act_id.in_(useless)))
