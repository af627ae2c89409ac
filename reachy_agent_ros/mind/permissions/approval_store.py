"""Questions to a person on disk, so that a restart forgets none."""

from __future__ import annotations

import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields
from enum import StrEnum
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.database_file import known_version
from reachy_agent_ros.mind.permissions.pending_approval import PendingApproval

FILE_NAME = "approvals.sqlite3"

VERSION = 1
"""Of the file's form."""

KEPT = 30 * 86400.0
"""Seconds for which an answered question can still be told from one that never was."""

USABLE = 3600.0
"""Seconds after its question's time for which a yes can be used: no turn lasts longer."""


class Outcome(StrEnum):
    """How a question ended."""

    WAITING = "waiting"
    APPROVED = "approved"
    USED = "used"
    REFUSED = "refused"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class ApprovalStore:
    """Questions and their answers in one SQLite file, for any thread and several processes.

    Args:
        path: The file; its folder is made if need be. In memory only where None.

    Raises:
        AgentError: `STORAGE_FAILED`: it cannot be opened, or a later version of this program wrote it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lock = threading.Lock()
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path or ":memory:", timeout=1.0, check_same_thread=False, isolation_level=None
            )
            if known_version(self._connection, path or Path(), VERSION) < VERSION:
                self._connection.executescript(f"{_SCHEMA} PRAGMA user_version={VERSION};")
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.execute("DELETE FROM approvals WHERE requested < ?", (time.time() - KEPT,))
        except (sqlite3.Error, OSError) as error:
            raise _failure(error) from error

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    def add(self, pending: PendingApproval, outcome: Outcome = Outcome.WAITING) -> None:
        """Stores a question; on disk when it returns.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        values = [str(value) if isinstance(value, uuid.UUID) else value for value in astuple(pending)]
        with self._storing() as connection:
            connection.execute("INSERT INTO approvals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values, outcome))

    def settle(self, approval_id: uuid.UUID, outcome: Outcome) -> None:
        """Ends a question that waits; on disk when it returns. What a turn would have gone on with is let go.

        Raises:
            AgentError: `INVALID_GOAL`: it does not wait, or not any more; `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            changed = connection.execute(
                "UPDATE approvals SET outcome = ?, run_state = '' WHERE approval_id = ? AND outcome = 'waiting'",
                (outcome, str(approval_id)),
            ).rowcount
        if not changed:
            raise self.complaint(approval_id)

    def complaint(self, approval_id: uuid.UUID) -> AgentError:
        """Why a question cannot be answered."""
        return AgentError(ErrorCode.INVALID_GOAL, _NOT_WAITING[self.outcome(approval_id)].format(approval_id))

    def redeem(self, approval_id: uuid.UUID, tool: str, arguments_json: str) -> None:
        """Uses up an approval for the very call that it was given for.

        Raises:
            AgentError: `APPROVAL_REQUIRED`: there is none for this call, it was used already or is an hour old;
                `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            changed = connection.execute(
                "UPDATE approvals SET outcome = 'used' WHERE approval_id = ? AND outcome = 'approved' AND tool = ? "
                "AND arguments_json = ? AND expires > ?",
                (str(approval_id), tool, arguments_json, time.time() - USABLE),
            ).rowcount
        if not changed:
            message = f"{tool} needs a person's approval, and {approval_id} is none for this call."
            raise AgentError(ErrorCode.APPROVAL_REQUIRED, message)

    def waiting(self) -> list[PendingApproval]:
        """Every question without an answer, oldest first.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            rows = connection.execute(
                "SELECT * FROM approvals WHERE outcome = 'waiting' ORDER BY requested, rowid"
            ).fetchall()
        return [_pending(row) for row in rows]

    def outcome(self, approval_id: uuid.UUID) -> Outcome | None:
        """How a question ended; None if there is no such question.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            row = connection.execute(
                "SELECT outcome FROM approvals WHERE approval_id = ?", (str(approval_id),)
            ).fetchone()
        return None if row is None else Outcome(row[0])

    @contextmanager
    def _storing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                yield self._connection
        except sqlite3.Error as error:
            raise _failure(error) from error


_COLUMNS = [one.name for one in fields(PendingApproval)]
"""Those of the table, in order, but for the last: the outcome."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS approvals (
    tool TEXT NOT NULL, arguments_json TEXT NOT NULL, turn_id TEXT NOT NULL, requester TEXT NOT NULL,
    requested REAL NOT NULL, expires REAL NOT NULL, session_id TEXT NOT NULL, reason TEXT NOT NULL,
    rule TEXT NOT NULL, run_state TEXT NOT NULL, approval_id TEXT NOT NULL UNIQUE, outcome TEXT NOT NULL
);
"""

_NOT_WAITING = {
    None: "Nothing waits for a decision under {}.",
    Outcome.WAITING: "The turn that asked {} is not taken up again yet.",
    Outcome.APPROVED: "The question {} was answered already: with yes.",
    Outcome.USED: "The question {} was answered already: with yes.",
    Outcome.REFUSED: "The question {} was answered already: with no.",
    Outcome.EXPIRED: "The answer to {} comes too late: it was taken for a no when its time ran out.",
    Outcome.WITHDRAWN: "Nothing waits for a decision under {} any more: its turn has ended.",
}


def _pending(row: tuple[str | float, ...]) -> PendingApproval:
    values = dict(zip(_COLUMNS, row[:-1], strict=True))
    ids = {name: uuid.UUID(str(values[name])) for name in ("turn_id", "approval_id")}
    return PendingApproval(**{**values, **ids})  # type: ignore[arg-type]


def _failure(error: Exception) -> AgentError:
    return AgentError(ErrorCode.STORAGE_FAILED, f"The approvals could not be read or stored: {error}.")
