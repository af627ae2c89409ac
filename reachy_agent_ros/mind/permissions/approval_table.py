"""Questions as rows: what is asked of their file."""

from __future__ import annotations

from dataclasses import fields

from reachy_agent_ros.core.row_seals import is_sound, seal_of, sealing
from reachy_agent_ros.mind.database_file import Format
from reachy_agent_ros.mind.permissions.pending_approval import PendingApproval

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
_SEALED = (*COLUMNS, "outcome")


def _seal_after(outcome: str, run_state: str) -> str:
    """SQL of a question's seal once two of its columns have become others."""
    changed = {"outcome": outcome, "run_state": run_state}
    return seal_of(*(changed.get(name, name) for name in _SEALED))


FORMAT = Format(
    "approvals",
    _SCHEMA,
    (sealing("approvals", *_SEALED),),
)

_SOUND = is_sound("'the question ' || approval_id", *_SEALED)
_GIVEN = [f"CAST(?{place} AS REAL)" if name in _TIMES else f"?{place}" for place, name in enumerate(_SEALED, 1)]

ADD = f"INSERT INTO approvals VALUES ({', '.join(_GIVEN)}, {seal_of(*_GIVEN)})"  # noqa: S608 - only constants, as below
"""Takes a question's fields and its outcome."""

OUTCOME = f"SELECT outcome FROM approvals WHERE approval_id = ? AND {_SOUND}"  # noqa: S608
"""Takes an id."""

WAITING = f"""
    SELECT {", ".join(COLUMNS)} FROM approvals WHERE outcome = 'waiting' AND {_SOUND} ORDER BY requested, rowid
"""  # noqa: S608

SETTLE = f"""
    UPDATE approvals SET outcome = ?1, run_state = '', seal = {_seal_after("?1", "''")}
    WHERE approval_id = ?2 AND outcome = 'waiting' AND {_SOUND}
"""  # noqa: S608
"""Takes an outcome and an id."""

REDEEM = f"""
    UPDATE approvals SET outcome = ?1, seal = {_seal_after("?1", "run_state")}
    WHERE approval_id = ?2 AND outcome = 'approved' AND tool = ?3 AND arguments_json = ?4 AND expires > ?5 AND {_SOUND}
"""  # noqa: S608
"""Takes an outcome, an id, a call, and the moment, s since the epoch, by which its time must not have run out."""
