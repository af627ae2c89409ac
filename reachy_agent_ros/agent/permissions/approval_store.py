"""SQLite database that keeps approval questions across restarts."""

from __future__ import annotations

import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import astuple, fields
from enum import StrEnum
from pathlib import Path

from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.core.durable_file import make_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.database_file import Format, alone, connect
from reachy_agent_ros.storage.row_checksums import RowChecksums, is_sound, seal_of, sealing

FILE_NAME = "approvals.sqlite3"

KEPT = 30 * 86400.0
"""Time for which questions are kept, s, so that errors can distinguish a late answer from an unknown question."""

USABLE = 3600.0
"""Time after the expiry of a question during which its approval can still be used, s. No turn lasts longer."""


class ApprovalOutcome(StrEnum):
    """State of an approval question: waiting, answered, expired or withdrawn."""

    WAITING = "waiting"
    APPROVED = "approved"
    USED = "used"
    REFUSED = "refused"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class ApprovalStore:
    """Store of approval questions and answers in one SQLite file. Several threads and processes may use it.

    A question whose row was changed on disk is treated as if it had never been asked, so its approval has no effect.

    Args:
        path: Path of the file, whose folder is created if necessary; None keeps the questions in memory only.

    Raises:
        AgentError: `STORAGE_FAILED`: the file cannot be opened, or a later version of this program wrote it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._seals = RowChecksums(_FORMAT.content)
        try:
            if path is not None:
                make_folder(path.parent)
            with nullcontext() if path is None else alone(path):
                self._connection = self._open(path)
        except (sqlite3.Error, OSError) as error:
            raise _failure(error) from error

    @property
    def damage(self) -> str:
        """Description of damaged rows; empty if no row is damaged."""
        return self._seals.damage

    def close(self) -> None:
        """Closes the database file."""
        with self._lock:
            self._connection.close()

    def add(self, pending: PendingApproval, outcome: ApprovalOutcome = ApprovalOutcome.WAITING) -> None:
        """Stores a question and waits until it is on disk.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        values = [str(value) if isinstance(value, uuid.UUID) else value for value in astuple(pending)]
        with self._storing() as connection:
            connection.execute(_ADD, (*values, outcome))

    def settle(self, approval_id: uuid.UUID, outcome: ApprovalOutcome, by: str = "") -> None:
        """Stores the outcome of a pending question and deletes the state of its turn. Waits until both are on disk.

        Args:
            approval_id: Id of the question.
            outcome: Outcome of the question.
            by: Name of the person and the channel of the answer; empty without an answer.

        Raises:
            AgentError: `INVALID_GOAL`: the question is not pending; `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            changed = connection.execute(_SETTLE, (outcome, str(approval_id), by)).rowcount
        if not changed:
            raise self.complaint(approval_id)

    def complaint(self, approval_id: uuid.UUID) -> AgentError:
        """Returns the error that explains why a question cannot be answered.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        outcome, by = self._ended(approval_id)
        words = _NOT_WAITING[outcome].format(approval_id)
        return AgentError(ErrorCode.INVALID_GOAL, f"{words.removesuffix('.')}, by {by}." if by else words)

    def redeem(self, approval_id: uuid.UUID, tool: str, arguments_json: str) -> None:
        """Marks an approval as used by the tool call that it permits.

        Raises:
            AgentError: `APPROVAL_REQUIRED`: the approval does not exist, is for another call, was already used, or its
                question expired more than `USABLE` seconds ago; `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            call = (ApprovalOutcome.USED, str(approval_id), tool, arguments_json, time.time() - USABLE)
            changed = connection.execute(_REDEEM, call).rowcount
        if not changed:
            message = f"{tool} needs a person's approval, and {approval_id} is not a valid approval of this call."
            raise AgentError(ErrorCode.APPROVAL_REQUIRED, message)

    def waiting(self) -> list[PendingApproval]:
        """Returns all pending questions, oldest first.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            rows = connection.execute(_WAITING).fetchall()
        return [_pending(row) for row in rows]

    def outcome(self, approval_id: uuid.UUID) -> ApprovalOutcome | None:
        """Returns the outcome of a question; None if the question does not exist.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return self._ended(approval_id)[0]

    def decided_by(self, approval_id: uuid.UUID) -> str:
        """Returns the person who answered a question and the channel of the answer; empty if it was not answered.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return self._ended(approval_id)[1]

    def _ended(self, approval_id: uuid.UUID) -> tuple[ApprovalOutcome | None, str]:
        with self._storing() as connection:
            row = connection.execute(_OUTCOME, (str(approval_id),)).fetchone()
        return (None, "") if row is None else (ApprovalOutcome(row[0]), str(row[1]))

    def _open(self, path: Path | None) -> sqlite3.Connection:
        connection = connect(path, _FORMAT, self._seals)
        try:
            connection.execute("DELETE FROM approvals WHERE requested < ?", (time.time() - KEPT,))
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _storing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                yield self._connection
        except sqlite3.Error as error:
            raise _failure(error) from error


_NOT_WAITING = {
    None: "No question with the id {} is waiting for a decision.",
    ApprovalOutcome.WAITING: "The turn that asked {} has not resumed yet. Try again shortly.",
    ApprovalOutcome.APPROVED: "The question {} was already answered with yes.",
    ApprovalOutcome.USED: "The question {} was already answered with yes.",
    ApprovalOutcome.REFUSED: "The question {} was already answered with no.",
    ApprovalOutcome.EXPIRED: "The answer to {} is too late: the question expired, which counts as a no.",
    ApprovalOutcome.WITHDRAWN: "The request {} was withdrawn, so the answer has no effect: its turn or call has ended.",
}

_COLUMNS = tuple(one.name for one in fields(PendingApproval))
"""Columns for the fields of a question. Further columns contain the outcome, the decision and the checksum."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS approvals (
    tool TEXT NOT NULL, arguments_json TEXT NOT NULL, turn_id TEXT NOT NULL, requester TEXT NOT NULL,
    requested REAL NOT NULL, expires REAL NOT NULL, session_id TEXT NOT NULL, reason TEXT NOT NULL,
    rule TEXT NOT NULL, run_state TEXT NOT NULL, approval_id TEXT NOT NULL UNIQUE, outcome TEXT NOT NULL
);
"""

_TIMES = ("requested", "expires")
_STORED = (*_COLUMNS, "outcome")
_SEALED = (*_STORED, "decided_by")

_SEALED_2 = (
    *("tool", "arguments_json", "turn_id", "requester", "requested", "expires", "session_id"),
    *("reason", "rule", "run_state", "approval_id", "outcome"),
)
"""Columns covered by the checksum in version 2 of the file. The columns of version 3 follow."""

_SEALED_3 = (*_SEALED_2[:-2], "asked_by", "approval_id", "outcome", "decided_by")

_ADD_DECIDED_BY = f"""
ALTER TABLE approvals ADD COLUMN asked_by TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN decided_by TEXT NOT NULL DEFAULT '';
UPDATE approvals SET seal = {seal_of(*_SEALED_3)}
    WHERE {is_sound("'the question ' || approval_id", *_SEALED_2)};
"""  # noqa: S608 - only constants, as below
"""Damaged rows keep an invalid checksum, so that they remain detectable."""


def _seal_after(**changed: str) -> str:
    """Returns the SQL expression for a question's checksum after some of its columns have changed."""
    return seal_of(*(changed.get(name, name) for name in _SEALED))


_FORMAT = Format(
    "approvals",
    _SCHEMA,
    (sealing("approvals", *_SEALED_2), _ADD_DECIDED_BY),
)

_SOUND = is_sound("'the question ' || approval_id", *_SEALED)
_GIVEN = [f"CAST(?{place} AS REAL)" if name in _TIMES else f"?{place}" for place, name in enumerate(_STORED, 1)]

_ADD = f"""
    INSERT INTO approvals ({", ".join(_STORED)}, seal) VALUES ({", ".join(_GIVEN)}, {seal_of(*_GIVEN, "''")})
"""  # noqa: S608
"""Parameters: a question's fields and its outcome."""

_OUTCOME = f"SELECT outcome, decided_by FROM approvals WHERE approval_id = ? AND {_SOUND}"  # noqa: S608
"""Parameter: the id of a question."""

_WAITING = f"""
    SELECT {", ".join(_COLUMNS)} FROM approvals WHERE outcome = 'waiting' AND {_SOUND} ORDER BY requested, rowid
"""  # noqa: S608

_SETTLED = _seal_after(outcome="?1", run_state="''", decided_by="?3")

_SETTLE = f"""
    UPDATE approvals SET outcome = ?1, run_state = '', decided_by = ?3, seal = {_SETTLED}
    WHERE approval_id = ?2 AND outcome = 'waiting' AND {_SOUND}
"""  # noqa: S608
"""Parameters: an outcome, the id of a question, and the person who decided."""

_REDEEM = f"""
    UPDATE approvals SET outcome = ?1, seal = {_seal_after(outcome="?1")}
    WHERE approval_id = ?2 AND outcome = 'approved' AND tool = ?3 AND arguments_json = ?4 AND expires > ?5 AND {_SOUND}
"""  # noqa: S608
"""Parameters: an outcome, an id, a tool, its arguments, and the earliest time of expiry, s since the epoch."""


def _pending(row: tuple[str | float, ...]) -> PendingApproval:
    values = dict(zip(_COLUMNS, row, strict=True))
    ids = {name: uuid.UUID(str(values[name])) for name in ("turn_id", "approval_id")}
    return PendingApproval(**{**values, **ids})  # type: ignore[arg-type]


def _failure(error: Exception) -> AgentError:
    return AgentError(ErrorCode.STORAGE_FAILED, f"The approvals could not be read or stored: {error}.")
