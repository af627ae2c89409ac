"""Questions as rows: what is asked of their file."""

from __future__ import annotations

from dataclasses import fields

from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.storage.database_file import Format
from reachy_agent_ros.storage.row_seals import is_sound, seal_of, sealing

COLUMNS = tuple(one.name for one in fields(PendingApproval))
"""Those of the table, in order, but for the last two: the outcome and the seal."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS approvals (
    tool TEXT NOT NULL, arguments_json TEXT NOT NULL, turn_id TEXT NOT NULL, requester TEXT NOT NULL,
    requested REAL NOT NULL, expires REAL NOT NULL, session_id TEXT NOT NULL, reason TEXT NOT NULL,
    rule TEXT NOT NULL, run_state TEXT NOT NULL, approval_id TEXT NOT NULL UNIQUE, outcome TEXT NOT NULL
);
"""

_TIMES = ("requested", "expires")
_STORED = (*COLUMNS, "outcome")
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
"""Leaves damaged rows without a seal that fits."""


def _seal_after(**changed: str) -> str:
    """SQL of a question's seal once some of its columns have become others."""
    return seal_of(*(changed.get(name, name) for name in _SEALED))


FORMAT = Format(
    "approvals",
    _SCHEMA,
    (sealing("approvals", *_SEALED_2), _ADD_DECIDED_BY),
)

_SOUND = is_sound("'the question ' || approval_id", *_SEALED)
_GIVEN = [f"CAST(?{place} AS REAL)" if name in _TIMES else f"?{place}" for place, name in enumerate(_STORED, 1)]

ADD = f"""
    INSERT INTO approvals ({", ".join(_STORED)}, seal) VALUES ({", ".join(_GIVEN)}, {seal_of(*_GIVEN, "''")})
"""  # noqa: S608
"""Takes a question's fields and its outcome."""

OUTCOME = f"SELECT outcome, decided_by FROM approvals WHERE approval_id = ? AND {_SOUND}"  # noqa: S608
"""Takes an id."""

WAITING = f"""
    SELECT {", ".join(COLUMNS)} FROM approvals WHERE outcome = 'waiting' AND {_SOUND} ORDER BY requested, rowid
"""  # noqa: S608

_SETTLED = _seal_after(outcome="?1", run_state="''", decided_by="?3")

SETTLE = f"""
    UPDATE approvals SET outcome = ?1, run_state = '', decided_by = ?3, seal = {_SETTLED}
    WHERE approval_id = ?2 AND outcome = 'waiting' AND {_SOUND}
"""  # noqa: S608
"""Takes an outcome, an id, and who decided."""

REDEEM = f"""
    UPDATE approvals SET outcome = ?1, seal = {_seal_after(outcome="?1")}
    WHERE approval_id = ?2 AND outcome = 'approved' AND tool = ?3 AND arguments_json = ?4 AND expires > ?5 AND {_SOUND}
"""  # noqa: S608
"""Takes an outcome, an id, a call, and the moment, s since the epoch, by which its time must not have run out."""
