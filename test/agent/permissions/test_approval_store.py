import sqlite3
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from reachy_agent_ros.agent.permissions.approval_store import KEPT, USABLE, ApprovalOutcome, ApprovalStore
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.row_checksums import RowChecksums, seal_of
from support.flipped_bits import flip

QUESTION = PendingApproval(
    *("erase", '{"a": 1}', uuid.uuid4(), "robot", time.time(), 1e11, "one", "why", "rule", "state"),
    asked_by="token:phone#1f0c92ab",
)


def test_approval_database_uses_synchronous_writes(tmp_path: Path) -> None:
    store = ApprovalStore(tmp_path / "approvals.sqlite3")
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_stored_approvals_are_visible_to_other_stores(tmp_path: Path) -> None:
    path = tmp_path / "approvals.sqlite3"
    ApprovalStore(path).add(QUESTION)
    assert ApprovalStore(path).waiting() == [QUESTION]


def test_approval_permits_only_the_approved_call_once() -> None:
    store = ApprovalStore()
    store.add(QUESTION)
    with pytest.raises(AgentError, match="not a valid approval of this call"):
        store.redeem(QUESTION.approval_id, "erase", '{"a": 1}')
    store.settle(QUESTION.approval_id, ApprovalOutcome.APPROVED)
    for tool, arguments in (("erase", '{"a": 2}'), ("dance", '{"a": 1}')):
        with pytest.raises(AgentError) as error:
            store.redeem(QUESTION.approval_id, tool, arguments)
        assert error.value.code is ErrorCode.APPROVAL_REQUIRED
    store.redeem(QUESTION.approval_id, "erase", '{"a": 1}')
    with pytest.raises(AgentError):
        store.redeem(QUESTION.approval_id, "erase", '{"a": 1}')
    assert store.outcome(QUESTION.approval_id) is ApprovalOutcome.USED


def test_answered_approval_request_deletes_run_state(tmp_path: Path) -> None:
    path = tmp_path / "approvals.sqlite3"
    store = ApprovalStore(path)
    store.add(QUESTION)
    store.settle(QUESTION.approval_id, ApprovalOutcome.REFUSED)
    assert sqlite3.connect(path).execute("SELECT run_state, outcome FROM approvals").fetchall() == [("", "refused")]


def test_old_approval_requests_are_deleted(tmp_path: Path) -> None:
    path = tmp_path / "approvals.sqlite3"
    ApprovalStore(path).add(replace(QUESTION, requested=time.time() - KEPT - 1.0))
    assert ApprovalStore(path).outcome(QUESTION.approval_id) is None


def test_rejects_approval_file_that_is_not_a_database(tmp_path: Path) -> None:
    (tmp_path / "approvals.sqlite3").write_bytes(b"no database" * 1000)
    with pytest.raises(AgentError) as error:
        ApprovalStore(tmp_path / "approvals.sqlite3")
    assert error.value.code is ErrorCode.STORAGE_FAILED


@pytest.mark.slow
def test_locked_approval_database_raises_error(tmp_path: Path) -> None:
    store = ApprovalStore(tmp_path / "approvals.sqlite3")
    other = sqlite3.connect(tmp_path / "approvals.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(AgentError, match="locked"):
        store.add(QUESTION)
    other.execute("ROLLBACK")
    store.add(QUESTION)
    assert store.waiting() == [QUESTION]


def test_old_approval_cannot_be_redeemed() -> None:
    store = ApprovalStore()
    old = replace(QUESTION, expires=time.time() - USABLE - 1.0)
    store.add(old, ApprovalOutcome.APPROVED)
    with pytest.raises(AgentError, match="not a valid approval of this call"):
        store.redeem(old.approval_id, old.tool, old.arguments_json)


@pytest.mark.parametrize(
    ("damaged", "outcome"), [("erase", ApprovalOutcome.WAITING), ("erase", ApprovalOutcome.APPROVED)]
)
def test_approval_request_with_flipped_bit_is_ignored(tmp_path: Path, damaged: str, outcome: ApprovalOutcome) -> None:
    path = tmp_path / "approvals.sqlite3"
    store = ApprovalStore(path)
    store.add(QUESTION, outcome)
    store.close()
    flip(path, damaged)
    store = ApprovalStore(path)
    assert store.waiting() == []
    assert store.outcome(QUESTION.approval_id) is None
    assert str(QUESTION.approval_id) in store.damage
    for tool in ("erase", "drase"):
        with pytest.raises(AgentError, match="not a valid approval of this call"):
            store.redeem(QUESTION.approval_id, tool, QUESTION.arguments_json)
    with pytest.raises(AgentError, match="No question with the id"):
        store.settle(QUESTION.approval_id, ApprovalOutcome.APPROVED)
    store.close()


def test_closed_approval_store_raises_storage_failed() -> None:
    store = ApprovalStore()
    store.close()
    with pytest.raises(AgentError) as caught:
        store.waiting()
    assert caught.value.code is ErrorCode.STORAGE_FAILED


def test_answered_approval_is_kept_for_30_days(tmp_path: Path) -> None:
    path = tmp_path / "approvals.sqlite3"
    for days, known in ((29.9, True), (30.1, False)):
        asked = replace(QUESTION, approval_id=uuid.uuid4(), requested=time.time() - days * 86400.0)
        ApprovalStore(path).add(asked, ApprovalOutcome.REFUSED)
        assert (ApprovalStore(path).outcome(asked.approval_id) is not None) is known


def test_approval_can_be_redeemed_for_one_hour_after_expiry() -> None:
    store = ApprovalStore()
    for minutes, usable in ((59.0, True), (61.0, False)):
        asked = replace(QUESTION, approval_id=uuid.uuid4(), expires=time.time() - minutes * 60.0)
        store.add(asked, ApprovalOutcome.APPROVED)
        with nullcontext() if usable else pytest.raises(AgentError, match="not a valid approval of this call"):
            store.redeem(asked.approval_id, asked.tool, asked.arguments_json)


def test_approval_store_is_usable_in_another_thread() -> None:
    store = ApprovalStore()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(store.add, QUESTION).result()
    assert store.waiting() == [QUESTION]


BEFORE_DECIDED_BY = """
CREATE TABLE approvals (
    tool TEXT NOT NULL, arguments_json TEXT NOT NULL, turn_id TEXT NOT NULL, requester TEXT NOT NULL,
    requested REAL NOT NULL, expires REAL NOT NULL, session_id TEXT NOT NULL, reason TEXT NOT NULL,
    rule TEXT NOT NULL, run_state TEXT NOT NULL, approval_id TEXT NOT NULL UNIQUE, outcome TEXT NOT NULL, seal BLOB
);
PRAGMA user_version = 2;
"""


def test_migrates_approvals_of_previous_version_except_damaged_rows(tmp_path: Path) -> None:
    path = tmp_path / "approvals.sqlite3"
    damaged = replace(QUESTION, approval_id=uuid.uuid4())
    names = "tool arguments_json turn_id requester requested expires session_id reason rule run_state approval_id"
    columns = (*names.split(), "outcome")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(BEFORE_DECIDED_BY)
        RowChecksums("approvals").install(connection)
        for question in (QUESTION, damaged):
            values = [*(getattr(question, name) for name in names.split()), "waiting"]
            row = [str(value) if isinstance(value, uuid.UUID) else value for value in values]
            places = [f"?{place}" for place in range(1, len(columns) + 1)]
            connection.execute(f"INSERT INTO approvals VALUES ({', '.join(places)}, {seal_of(*places)})", row)
        connection.execute("UPDATE approvals SET tool = 'dance' WHERE approval_id = ?", (str(damaged.approval_id),))
    store = ApprovalStore(path)
    assert store.waiting() == [replace(QUESTION, asked_by="")]
    assert str(damaged.approval_id) in store.damage
    store.settle(QUESTION.approval_id, ApprovalOutcome.APPROVED, "Ada")
    assert ApprovalStore(path).decided_by(QUESTION.approval_id) == "Ada"


def test_modified_name_of_decider_invalidates_approval(tmp_path: Path) -> None:
    path = tmp_path / "approvals.sqlite3"
    store = ApprovalStore(path)
    store.add(QUESTION)
    store.settle(QUESTION.approval_id, ApprovalOutcome.APPROVED, "Ada")
    store.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE approvals SET decided_by = 'Bob'")
    store = ApprovalStore(path)
    assert store.decided_by(QUESTION.approval_id) == ""
    with pytest.raises(AgentError, match="not a valid approval of this call"):
        store.redeem(QUESTION.approval_id, QUESTION.tool, QUESTION.arguments_json)
