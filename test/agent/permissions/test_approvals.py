import asyncio
import time
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from reachy_agent_ros.agent.permissions.approval_store import ApprovalOutcome, ApprovalStore
from reachy_agent_ros.agent.permissions.approvals import Approvals
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.world import until


def question(seconds: float = 60.0) -> PendingApproval:
    return PendingApproval("erase", "{}", uuid.uuid4(), "robot", time.time(), time.time() + seconds)


def test_rejects_second_answer_to_approval_request() -> None:
    waiting: list[list[PendingApproval]] = []
    approvals = Approvals(10.0, waiting.append)

    async def ask() -> None:
        asked = asyncio.create_task(approvals.ask(question()))
        await until(lambda: waiting)
        approval_id = waiting[0][0].approval_id
        assert approvals.decide(approval_id, True, "Ada").tool == "erase"
        with pytest.raises(AgentError, match="already answered with yes"):
            approvals.decide(approval_id, False, "Ada")
        assert await asked == approval_id

    asyncio.run(ask())
    assert waiting[-1] == []


def test_withdrawal_of_approval_request_overrides_simultaneous_approval() -> None:
    waiting: list[list[PendingApproval]] = []
    approvals = Approvals(10.0, waiting.append)

    async def ask() -> None:
        asked = asyncio.create_task(approvals.ask(question()))
        await until(lambda: waiting)
        approvals.decide(waiting[0][0].approval_id, True, "Ada")
        approvals.withdraw_all()
        with pytest.raises(AgentError, match="withdrew the request") as error:
            await asked
        assert error.value.code is ErrorCode.CANCELED

    asyncio.run(ask())
    assert waiting[-1] == []


def test_negative_answer_raises_approval_denied() -> None:
    waiting: list[list[PendingApproval]] = []
    approvals = Approvals(10.0, waiting.append)

    async def ask() -> None:
        asked = asyncio.create_task(approvals.ask(question()))
        await until(lambda: waiting)
        approvals.decide(waiting[0][0].approval_id, False, "Ada")
        with pytest.raises(AgentError, match="A person said no"):
            await asked

    asyncio.run(ask())


def test_rejects_answer_to_expired_approval_request() -> None:
    waiting: list[list[PendingApproval]] = []
    approvals = Approvals(0.01, waiting.append)
    with pytest.raises(AgentError, match="in time") as error:
        asyncio.run(approvals.ask(question(0.01)))
    assert error.value.code is ErrorCode.APPROVAL_DENIED
    with pytest.raises(AgentError, match="too late") as late:
        approvals.decide(waiting[0][0].approval_id, True, "Ada")
    assert late.value.code is ErrorCode.INVALID_GOAL


def test_rejects_answer_to_unknown_approval_request() -> None:
    with pytest.raises(AgentError, match="No question with the id"):
        Approvals(1.0, lambda _pending: None).decide(uuid.uuid4(), True, "Ada")


def test_accepts_approval_given_just_before_expiry() -> None:
    store = ApprovalStore()
    pending = question(0.01)
    store.add(pending)
    approvals = Approvals(10.0, lambda _pending: None, store)

    async def ask() -> uuid.UUID:
        asked = asyncio.create_task(approvals.wait(pending))
        await asyncio.sleep(0)
        store.settle(pending.approval_id, ApprovalOutcome.APPROVED)  # stored in time, but not delivered to the call
        return await asked

    assert asyncio.run(ask()) == pending.approval_id


async def cancelled(approvals: Approvals, waiting: list[list[PendingApproval]], closing: bool) -> PendingApproval:
    asked = asyncio.create_task(approvals.ask(replace(question(), run_state="{...}")))
    await until(lambda: waiting)
    if closing:
        approvals.close()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    return waiting[0][0]


def test_cancelled_turn_withdraws_its_approval_request() -> None:
    waiting: list[list[PendingApproval]] = []
    approvals = Approvals(10.0, waiting.append)
    pending = asyncio.run(cancelled(approvals, waiting, closing=False))
    with pytest.raises(AgentError, match="was withdrawn, so the answer has no effect"):
        approvals.decide(pending.approval_id, True, "Ada")
    assert approvals.restore() == []


def test_approval_request_and_run_state_survive_restart(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "approvals.sqlite3"
    waiting: list[list[PendingApproval]] = []
    pending = asyncio.run(cancelled(Approvals(60.0, waiting.append, ApprovalStore(path)), waiting, closing=True))
    waiting.clear()
    approvals = Approvals(60.0, waiting.append, ApprovalStore(path))
    assert approvals.restore() == [pending]
    assert pending.run_state == "{...}"
    with pytest.raises(AgentError, match="has not resumed yet"):
        approvals.decide(pending.approval_id, True, "Ada")

    async def go_on() -> None:
        asked = asyncio.create_task(approvals.wait(pending))
        await until(lambda: waiting)
        approvals.decide(pending.approval_id, True, "Ada")
        assert await asked == pending.approval_id

    asyncio.run(go_on())
    assert Approvals(60.0, waiting.append, ApprovalStore(path)).restore() == []


def test_overdue_approval_request_expires_at_restart(tmp_path: Path) -> None:
    store = ApprovalStore(tmp_path / "approvals.sqlite3")
    pending = question(-1.0)
    store.add(pending)
    approvals = Approvals(60.0, lambda _pending: None, store)
    assert approvals.restore() == []
    with pytest.raises(AgentError, match="too late"):
        approvals.decide(pending.approval_id, True, "Ada")


def test_setting_clock_back_does_not_extend_approval_time_limit() -> None:
    store = ApprovalStore()
    pending = question(1e6)
    store.add(pending)
    with pytest.raises(AgentError, match="in time"):
        asyncio.run(Approvals(0.01, lambda _pending: None, store).wait(pending))


def test_does_not_ask_for_approval_if_request_cannot_be_stored() -> None:
    waiting: list[list[PendingApproval]] = []
    store = ApprovalStore()
    store.close()
    with pytest.raises(AgentError) as error:
        asyncio.run(Approvals(1.0, waiting.append, store).ask(question()))
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert waiting == []


def test_granted_approval_can_be_redeemed_once() -> None:
    store = ApprovalStore()
    pending = replace(question(), tool="dance")
    Approvals(1.0, lambda _pending: None, store).note_granted(pending)
    store.redeem(pending.approval_id, "dance", "{}")
    with pytest.raises(AgentError) as error:
        store.redeem(pending.approval_id, "dance", "{}")
    assert error.value.code is ErrorCode.APPROVAL_REQUIRED


def test_restored_approval_request_keeps_its_expiry() -> None:
    store = ApprovalStore()
    pending = question(0.05)
    store.add(pending)
    approvals = Approvals(60.0, lambda _pending: None, store)

    async def ask() -> None:
        async with asyncio.timeout(20.0):
            await approvals.wait(pending)

    with pytest.raises(AgentError, match="in time"):
        asyncio.run(ask())


def test_withdrawn_approval_request_is_not_restored() -> None:
    store = ApprovalStore()
    pending = question()
    store.add(pending)
    approvals = Approvals(60.0, lambda _pending: None, store)
    approvals.withdraw(pending)
    assert store.outcome(pending.approval_id) is ApprovalOutcome.WITHDRAWN
    assert approvals.restore() == []
