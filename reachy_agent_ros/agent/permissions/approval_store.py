"""Questions to a person on disk, so that a restart forgets none: the store, then the SQL of its one table."""

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
"""Seconds for which an answered question can still be told from one that never was."""

USABLE = 3600.0
"""Seconds after its question's time for which a yes can be used: no turn lasts longer."""


class ApprovalOutcome(StrEnum):
    """How a question ended."""

    WAITING = "waiting"
    APPROVED = "approved"
    USED = "used"
    REFUSED = "refused"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class ApprovalStore:
    """Questions and their answers in one SQLite file, for any thread and several processes.

    A question whose row was changed on disk counts as never asked, so that an approval in it has no effect.

    Args:
        path: The file; its folder is made if need be. In memory only where None.

    Raises:
        AgentError: `STORAGE_FAILED`: it cannot be opened, or a later version of this program wrote it.
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
        """Which rows were found damaged, for people; empty where none were."""
        return self._seals.damage

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    def add(self, pending: PendingApproval, outcome: ApprovalOutcome = ApprovalOutcome.WAITING) -> None:
        """Stores a question; on disk when it returns.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        values = [str(value) if isinstance(value, uuid.UUID) else value for value in astuple(pending)]
        with self._storing() as connection:
            connection.execute(_ADD, (*values, outcome))

    def settle(self, approval_id: uuid.UUID, outcome: ApprovalOutcome, by: str = "") -> None:
        """Ends a question that waits; on disk when it returns. What its turn would have gone on with is deleted.

        Args:
            approval_id: Of the question.
            outcome: How it ended.
            by: Who decided so, and in which way; empty where nobody did.

        Raises:
            AgentError: `INVALID_GOAL`: it does not wait, or not any more; `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            changed = connection.execute(_SETTLE, (outcome, str(approval_id), by)).rowcount
        if not changed:
            raise self.complaint(approval_id)

    def complaint(self, approval_id: uuid.UUID) -> AgentError:
        """Why a question cannot be answered."""
        outcome, by = self._ended(approval_id)
        words = _NOT_WAITING[outcome].format(approval_id)
        return AgentError(ErrorCode.INVALID_GOAL, f"{words.removesuffix('.')}, by {by}." if by else words)

    def redeem(self, approval_id: uuid.UUID, tool: str, arguments_json: str) -> None:
        """Uses up an approval for the very call that it was given for.

        Raises:
            AgentError: `APPROVAL_REQUIRED`: there is none for this call, it was used already or is an hour old;
                `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            call = (ApprovalOutcome.USED, str(approval_id), tool, arguments_json, time.time() - USABLE)
            changed = connection.execute(_REDEEM, call).rowcount
        if not changed:
            message = f"{tool} needs a person's approval, and {approval_id} is none for this call."
            raise AgentError(ErrorCode.APPROVAL_REQUIRED, message)

    def waiting(self) -> list[PendingApproval]:
        """Every question without an answer, oldest first.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._storing() as connection:
            rows = connection.execute(_WAITING).fetchall()
        return [_pending(row) for row in rows]

    def outcome(self, approval_id: uuid.UUID) -> ApprovalOutcome | None:
        """How a question ended; None if there is no such question.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return self._ended(approval_id)[0]

    def decided_by(self, approval_id: uuid.UUID) -> str:
        """Who answered a question, and in which way; empty where nobody did.

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
    None: "Nothing waits for a decision under {}.",
    ApprovalOutcome.WAITING: "The turn that asked {} is not taken up again yet.",
    ApprovalOutcome.APPROVED: "The question {} was answered already: with yes.",
    ApprovalOutcome.USED: "The question {} was answered already: with yes.",
    ApprovalOutcome.REFUSED: "The question {} was answered already: with no.",
    ApprovalOutcome.EXPIRED: "The answer to {} comes too late: it was taken for a no when its time ran out.",
    ApprovalOutcome.WITHDRAWN: "The request {} was withdrawn, so the answer has no effect: its turn or call has ended.",
}

_COLUMNS = tuple(one.name for one in fields(PendingApproval))
"""The fields of a question, in the order of their columns. The outcome, the decision and the seal come after them."""

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
"""Columns that were sealed in version 2 of the file, and below in version 3."""

_SEALED_3 = (*_SEALED_2[:-2], "asked_by", "approval_id", "outcome", "decided_by")

_ADD_DECIDED_BY = f"""
ALTER TABLE approvals ADD COLUMN asked_by TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN decided_by TEXT NOT NULL DEFAULT '';
UPDATE approvals SET seal = {seal_of(*_SEALED_3)}
    WHERE {is_sound("'the question ' || approval_id", *_SEALED_2)};
"""  # noqa: S608 - only constants, as below
"""Damaged rows keep a seal that does not fit, so that they stay recognizable."""


def _seal_after(**changed: str) -> str:
    """SQL of a question's seal once some of its columns have become others."""
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
"""Takes a question's fields and its outcome."""

_OUTCOME = f"SELECT outcome, decided_by FROM approvals WHERE approval_id = ? AND {_SOUND}"  # noqa: S608
"""Takes an id."""

_WAITING = f"""
    SELECT {", ".join(_COLUMNS)} FROM approvals WHERE outcome = 'waiting' AND {_SOUND} ORDER BY requested, rowid
"""  # noqa: S608

_SETTLED = _seal_after(outcome="?1", run_state="''", decided_by="?3")

_SETTLE = f"""
    UPDATE approvals SET outcome = ?1, run_state = '', decided_by = ?3, seal = {_SETTLED}
    WHERE approval_id = ?2 AND outcome = 'waiting' AND {_SOUND}
"""  # noqa: S608
"""Takes an outcome, an id, and who decided."""

_REDEEM = f"""
    UPDATE approvals SET outcome = ?1, seal = {_seal_after(outcome="?1")}
    WHERE approval_id = ?2 AND outcome = 'approved' AND tool = ?3 AND arguments_json = ?4 AND expires > ?5 AND {_SOUND}
"""  # noqa: S608
"""Takes an outcome, an id, a call, and the moment, s since the epoch, by which its time must not have run out."""


def _pending(row: tuple[str | float, ...]) -> PendingApproval:
    values = dict(zip(_COLUMNS, row, strict=True))
    ids = {name: uuid.UUID(str(values[name])) for name in ("turn_id", "approval_id")}
    return PendingApproval(**{**values, **ids})  # type: ignore[arg-type]


def _failure(error: Exception) -> AgentError:
    return AgentError(ErrorCode.STORAGE_FAILED, f"The approvals could not be read or stored: {error}.")
