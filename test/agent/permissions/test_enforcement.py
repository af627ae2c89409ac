import asyncio
import threading
import uuid
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.permissions.approval_store import ApprovalOutcome, ApprovalStore
from reachy_agent_ros.agent.permissions.approvals import Approvals
from reachy_agent_ros.agent.permissions.audit_check import check, records
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.agent.permissions.enforcement import Enforcement
from reachy_agent_ros.agent.permissions.grants import Grant, Grants
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.permissions import Call, Permissions, PermissionVerdict
from reachy_agent_ros.agent.permissions.policy import PermissionRule, PermissionTier, Policy
from reachy_agent_ros.agent.permissions.principal import UNKNOWN, Decides, Principal
from reachy_agent_ros.agent.provenance.judgment import Concern
from reachy_agent_ros.agent.provenance.label import Label, OriginKind
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.answer import LONGEST_GRANT, YesNoAnswer
from reachy_agent_ros.tools.protocol.tools import ToolDescription
from support.agent.permission_cases import TOOLS
from support.agent.world import until
from support.locked_file import locked_file

LOOK = ToolDescription("get_robot_state", "Looks.", {"type": "object"}, 3.0)
RULES = (
    PermissionRule(("dance",), PermissionTier.CONFIRM),
    PermissionRule(("wave",), PermissionTier.FORBIDDEN),
    PermissionRule(("move_head",), PermissionTier.NOTIFY),
)


class Office:
    """All components that permit or refuse tool calls. Their files are in one folder."""

    def __init__(self, folder: Path, approval_time: float = 10.0) -> None:
        self.pending: list[PendingApproval] = []
        self.grants = Grants()
        self.store = ApprovalStore(folder / "approvals.sqlite3")
        self.approvals = Approvals(approval_time, self._remember, self.store)
        self.path = folder / "audit.jsonl"
        self.audit = AuditLog(self.path)
        permissions = Permissions(Policy(RULES, PermissionTier.AUTONOMOUS), self.grants, lambda: (*TOOLS, LOOK))
        self.enforcement = Enforcement(permissions, self.approvals, self.audit)

    def written(self) -> list[tuple[Any, Any]]:
        assert check(self.path).fault is None
        return [(record["event"], record["outcome"]) for record in records(self.path)]

    async def answered(self, call: Call, answer: YesNoAnswer) -> uuid.UUID | None:
        asked = asyncio.create_task(self.enforcement.permit(call))
        await until(lambda: self.pending)
        self.enforcement.decide(self.pending[0].approval_id, answer, "a person, by voice")
        return await asked

    def _remember(self, pending: list[PendingApproval]) -> None:
        self.pending = pending


def call(tool: str, arguments_json: str = "{}", **options: Any) -> Call:
    return Call(tool, arguments_json, "one", uuid.uuid4(), "robot", **options)


def test_approved_call_continues_after_approval_is_logged(tmp_path: Path) -> None:
    office = Office(tmp_path)

    async def run() -> None:
        asked = asyncio.create_task(office.enforcement.permit(call("dance")))
        await until(lambda: office.pending)
        with locked_file(office.path):
            deciding = asyncio.create_task(
                asyncio.to_thread(
                    office.enforcement.decide, office.pending[0].approval_id, YesNoAnswer(True), "a person, by voice"
                )
            )
            await until(office.approvals.decided)
            for _turn in range(10):
                await asyncio.sleep(0)
            assert office.pending
        await deciding
        await asked

    asyncio.run(run())
    assert office.written() == [("call", "asked"), ("answer", "approved"), ("call", "allowed")]


def test_logs_allowed_call(tmp_path: Path) -> None:
    office = Office(tmp_path)
    told: list[PermissionVerdict] = []
    wanted = call("move_head", '{"yaw_deg": 5}')
    assert asyncio.run(office.enforcement.permit(wanted, told.append)) is None
    assert told[0].tier is PermissionTier.NOTIFY
    record = next(records(office.path))
    assert (record["tool"], record["arguments_json"], record["tier"]) == ("move_head", '{"yaw_deg": 5}', "notify")
    assert (record["rule"], record["turn_id"], record["who"]) == ("move_head: notify", str(wanted.turn_id), "robot")


def test_repeated_calls_of_measuring_tool_share_one_audit_record(tmp_path: Path) -> None:
    office = Office(tmp_path)

    async def looked() -> None:
        for _ in range(3):
            await office.enforcement.permit(call("get_robot_state"))

    asyncio.run(looked())
    assert office.written() == [("call", "allowed")]
    office.enforcement.close()
    assert office.written() == 2 * [("call", "allowed")]


def test_checking_whether_call_needs_approval_writes_no_audit_record(tmp_path: Path) -> None:
    office = Office(tmp_path)
    assert office.enforcement.must_ask(call("dance"))
    assert not office.enforcement.must_ask(call("move_head"))
    assert not office.enforcement.must_ask(call("wave"))  # rejected in any case
    assert office.written() == []


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (call("wave"), ErrorCode.APPROVAL_DENIED),
        (call("dance", "{"), ErrorCode.INVALID_ARGUMENTS),
        (call("fly"), ErrorCode.UNKNOWN_TOOL),
    ],
)
def test_logs_refused_call(tmp_path: Path, wanted: Call, code: ErrorCode) -> None:
    office = Office(tmp_path)
    with pytest.raises(AgentError) as error:
        asyncio.run(office.enforcement.permit(wanted))
    assert error.value.code is code
    assert office.written() == [("call", "refused")]


def test_approval_permits_only_one_call(tmp_path: Path) -> None:
    office = Office(tmp_path)
    approval_id = asyncio.run(office.answered(call("dance"), YesNoAnswer(True)))
    assert approval_id is not None
    office.store.redeem(approval_id, "dance", "{}")
    assert office.written() == [("call", "asked"), ("answer", "approved"), ("call", "allowed")]
    assert office.grants.live() == []


def test_logs_denial_by_user(tmp_path: Path) -> None:
    office = Office(tmp_path)
    with pytest.raises(AgentError, match="said no"):
        asyncio.run(office.answered(call("dance"), YesNoAnswer(False)))
    assert office.written() == [("call", "asked"), ("answer", "refused"), ("call", "refused")]


def test_call_is_refused_if_approval_request_is_not_answered_in_time(tmp_path: Path) -> None:
    office = Office(tmp_path, approval_time=0.01)
    with pytest.raises(AgentError, match="in time"):
        asyncio.run(office.enforcement.permit(call("dance")))
    assert office.written() == [("call", "asked"), ("call", "refused")]


def test_cancelled_turn_withdraws_approval_request(tmp_path: Path) -> None:
    office = Office(tmp_path)

    async def cancel() -> None:
        asked = asyncio.create_task(office.enforcement.permit(call("dance")))
        await until(lambda: office.pending)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(cancel())
    assert office.pending == []
    assert office.written() == [("call", "asked"), ("call", "withdrawn")]


@pytest.mark.parametrize("answer", [YesNoAnswer(True, whole_session=True), YesNoAnswer(True, seconds=600.0)])
def test_approval_for_session_applies_to_next_call(tmp_path: Path, answer: YesNoAnswer) -> None:
    office = Office(tmp_path)
    asyncio.run(office.answered(call("dance"), answer))
    approval_id = asyncio.run(office.enforcement.permit(call("dance")))
    assert approval_id is not None
    assert office.store.outcome(approval_id) is ApprovalOutcome.APPROVED
    grant = office.grants.live()[0]
    assert list(records(office.path))[-1]["grant"] == str(grant.grant_id)
    office.enforcement.revoke(grant.grant_id, "a person")
    with pytest.raises(AgentError, match="said no"):
        asyncio.run(office.answered(call("dance"), YesNoAnswer(False)))


def test_approval_for_session_applies_to_next_call_after_text_of_same_origin(tmp_path: Path) -> None:
    office = Office(tmp_path)
    asked = call("dance", concern=Concern((Label(OriginKind.WEB),), False, "dance"))
    asyncio.run(office.answered(asked, YesNoAnswer(True, whole_session=True)))
    assert asyncio.run(office.enforcement.permit(asked)) is not None
    assert [event for event, _ in office.written()].count("answer") == 1


def test_approval_for_session_is_valid_once_for_call_with_labeled_text(tmp_path: Path) -> None:
    office = Office(tmp_path)
    asked = call("dance", concern=Concern((Label(OriginKind.WEB),), True, "dance"))
    asyncio.run(office.answered(asked, YesNoAnswer(True, whole_session=True)))
    assert office.grants.live() == []


@pytest.mark.parametrize("seconds", [-1.0, LONGEST_GRANT + 1.0])
def test_rejects_approval_with_invalid_duration(tmp_path: Path, seconds: float) -> None:
    office = Office(tmp_path)

    async def run() -> None:
        asked = asyncio.create_task(office.enforcement.permit(call("dance")))
        await until(lambda: office.pending)
        approval_id = office.pending[0].approval_id
        with pytest.raises(AgentError, match="at most 24 hours"):
            office.enforcement.decide(approval_id, YesNoAnswer(True, seconds=seconds), "a person")
        office.enforcement.decide(approval_id, YesNoAnswer(True), "a person")
        await asked

    asyncio.run(run())
    assert office.written() == [("call", "asked"), ("answer", "approved"), ("call", "allowed")]


def test_invalid_grant_is_not_logged(tmp_path: Path) -> None:
    office = Office(tmp_path)
    with pytest.raises(AgentError):
        office.enforcement.grant(Grant(()))
    assert office.written() == []


def full(_entry: object) -> None:
    raise AgentError(ErrorCode.STORAGE_FAILED, "The disk is full.")


@pytest.mark.parametrize("tool", ["move_head", "dance"])
def test_refuses_call_that_cannot_be_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str) -> None:
    office = Office(tmp_path)
    monkeypatch.setattr(office.audit, "append", full)
    with pytest.raises(AgentError, match="full"):
        asyncio.run(office.enforcement.permit(call(tool)))
    assert office.pending == []


def test_stop_does_not_wait_for_audit_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office(tmp_path)
    written, append = threading.Event(), office.audit.append

    def append_late(entry: AuditEntry) -> None:
        written.wait()
        append(entry)

    async def stop() -> None:
        monkeypatch.setattr(office.audit, "append", append_late)
        assert await office.enforcement.permit(call("stop")) is None
        assert office.written() == []
        written.set()
        await until(lambda: office.written() == [("call", "allowed")])

    asyncio.run(stop())


def test_stop_works_if_audit_log_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office(tmp_path)
    monkeypatch.setattr(office.audit, "append", full)
    assert asyncio.run(office.enforcement.permit(call("stop"))) is None


def test_turn_resumes_after_restart_without_new_approval_request(tmp_path: Path) -> None:
    office = Office(tmp_path)
    wanted = call("dance", run_state="{...}")
    office.store.add(PendingApproval("dance", "{}", wanted.turn_id, "robot", 0.0, 1e11, "one", run_state="{...}"))
    pending = office.approvals.restore()[0]
    assert pending.run_state == wanted.run_state

    async def go_on() -> None:
        waiting = asyncio.create_task(office.enforcement.resume(pending))
        await until(lambda: office.pending)
        office.enforcement.decide(pending.approval_id, YesNoAnswer(True), "a person")
        again = call("dance", approval_id=await waiting)
        assert await office.enforcement.permit(again) == pending.approval_id
        with pytest.raises(AgentError, match="said no"):  # the approval is used up, so the call asks again
            await office.answered(again, YesNoAnswer(False))

    asyncio.run(go_on())


def test_approval_of_one_call_does_not_permit_another(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.enforcement._approved[approval_id := uuid.uuid4()] = ("dance", '{"dance": "slow"}')
    with pytest.raises(AgentError, match="said no"):
        asyncio.run(office.answered(call("dance", '{"dance": "wild"}', approval_id=approval_id), YesNoAnswer(False)))


PHONE, DESK = "token:phone#1f0c92ab", "token:desk#77aa01cd"


def last(office: Office) -> dict[str, Any]:
    return list(records(office.path))[-1]


def test_token_cannot_approve_its_own_request(tmp_path: Path) -> None:
    office = Office(tmp_path)

    async def ask() -> None:
        asked = asyncio.create_task(office.enforcement.permit(call("dance", asked_by=PHONE)))
        await until(lambda: office.pending)
        (pending,) = office.pending
        with pytest.raises(AgentError, match="cannot approve its own requests") as refused:
            office.enforcement.decide(pending.approval_id, YesNoAnswer(True), PHONE, principal=Principal(PHONE, True))
        assert refused.value.code is ErrorCode.DECISION_NOT_ALLOWED
        record = last(office)
        assert (record["event"], record["outcome"], record["who"]) == ("answer", "rejected", PHONE)
        assert office.pending == [pending]
        office.enforcement.decide(pending.approval_id, YesNoAnswer(True), DESK, principal=Principal(DESK, True))
        await asked

    asyncio.run(ask())
    assert office.written() == [("call", "asked"), ("answer", "rejected"), ("answer", "approved"), ("call", "allowed")]
    allowed = last(office)
    assert (allowed["who"], allowed["asked_by"], allowed["decided_by"]) == ("robot", PHONE, DESK)
    assert [(one.pending.asked_by, one.approved, one.by) for one in office.approvals.decided()] == [(PHONE, True, DESK)]


def test_token_can_reject_its_own_request(tmp_path: Path) -> None:
    office = Office(tmp_path)

    async def ask() -> None:
        asked = asyncio.create_task(office.enforcement.permit(call("dance", asked_by=PHONE)))
        await until(lambda: office.pending)
        nothing = Principal(PHONE, True, Decides.NOTHING)
        office.enforcement.decide(office.pending[0].approval_id, YesNoAnswer(False), PHONE, principal=nothing)
        with pytest.raises(AgentError, match="said no"):
            await asked

    asyncio.run(ask())


def test_token_with_approve_own_scope_can_approve_its_own_requests(tmp_path: Path) -> None:
    office = Office(tmp_path)

    async def ask() -> None:
        asked = asyncio.create_task(office.enforcement.permit(call("dance", asked_by=PHONE)))
        await until(lambda: office.pending)
        allowed = Principal(PHONE, True, Decides.EVERYTHING)
        office.enforcement.decide(office.pending[0].approval_id, YesNoAnswer(True), PHONE, principal=allowed)
        await asked

    asyncio.run(ask())
    assert last(office)["decided_by"] == PHONE


@pytest.mark.parametrize(
    ("giver", "lifts"),
    [
        (Principal(PHONE, True), False),
        (Principal(PHONE, True, Decides.EVERYTHING), True),
        (Principal(DESK, True), True),
        (UNKNOWN, True),
    ],
)
def test_grant_by_token_does_not_apply_to_its_own_requests(tmp_path: Path, giver: Principal, lifts: bool) -> None:
    office = Office(tmp_path)
    office.enforcement.grant(Grant(("dance",), by=giver.name, principal=giver))
    assert office.enforcement.must_ask(call("dance", asked_by=PHONE)) is not lifts
    assert not office.enforcement.must_ask(call("dance", asked_by="token:other#00000000"))


def test_approval_for_session_by_token_does_not_apply_to_its_own_requests(tmp_path: Path) -> None:
    office = Office(tmp_path)

    async def ask() -> None:
        asked = asyncio.create_task(office.enforcement.permit(call("dance", asked_by=DESK)))
        await until(lambda: office.pending)
        always = YesNoAnswer(True, whole_session=True)
        office.enforcement.decide(office.pending[0].approval_id, always, PHONE, principal=Principal(PHONE, True))
        await asked

    asyncio.run(ask())
    assert office.enforcement.must_ask(call("dance", asked_by=PHONE))
    assert not office.enforcement.must_ask(call("dance", asked_by=DESK))


def test_token_without_approval_right_cannot_add_grant(tmp_path: Path) -> None:
    office = Office(tmp_path)
    with pytest.raises(AgentError) as refused:
        office.enforcement.grant(Grant(("dance",), principal=Principal(PHONE, True, Decides.NOTHING)))
    assert refused.value.code is ErrorCode.DECISION_NOT_ALLOWED
    assert office.grants.live() == []


def test_simultaneous_answers_log_one_decision_and_who_made_it(tmp_path: Path) -> None:
    office = Office(tmp_path)
    names = [f"token:t{number}#00000000" for number in range(6)]

    def decide(approval_id: uuid.UUID, name: str) -> ErrorCode:
        answer = YesNoAnswer(names.index(name) % 2 == 0)
        try:
            office.enforcement.decide(approval_id, answer, name, principal=Principal(name, True))
        except AgentError as error:
            return error.code
        return ErrorCode.NONE

    async def ask() -> str:
        asked = asyncio.create_task(office.enforcement.permit(call("dance")))
        await until(lambda: office.pending)
        approval_id = office.pending[0].approval_id
        ended = await asyncio.gather(*(asyncio.to_thread(decide, approval_id, name) for name in names))
        assert sorted(ended) == [ErrorCode.NONE, *5 * [ErrorCode.INVALID_GOAL]]
        winner = names[ended.index(ErrorCode.NONE)]
        if names.index(winner) % 2 == 0:
            assert await asked == approval_id
        else:
            with pytest.raises(AgentError, match="said no"):
                await asked
        return winner

    winner = asyncio.run(ask())
    office.written()  # whole
    answers = [record for record in records(office.path) if record["event"] == "answer"]
    assert [(one["who"], one["decided_by"]) for one in answers] == [(winner, winner)]
    assert [one.by for one in office.approvals.decided()] == [winner]


def test_answer_to_withdrawn_approval_request_is_rejected_and_not_logged(tmp_path: Path) -> None:
    office = Office(tmp_path)

    async def ask() -> None:
        asked = asyncio.create_task(office.enforcement.permit(call("dance", asked_by=DESK)))
        await until(lambda: office.pending)
        (pending,) = office.pending
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        with pytest.raises(AgentError, match="was withdrawn, so the answer has no effect"):
            office.enforcement.decide(pending.approval_id, YesNoAnswer(True), PHONE, principal=Principal(PHONE, True))

    asyncio.run(ask())
    assert office.written() == [("call", "asked"), ("call", "withdrawn")]
    assert list(office.approvals.decided()) == []


def test_error_for_second_answer_names_who_answered_first(tmp_path: Path) -> None:
    office = Office(tmp_path)
    approval_id = asyncio.run(office.answered(call("dance"), YesNoAnswer(True)))
    assert approval_id is not None
    with pytest.raises(AgentError, match="with yes, by a person, by voice"):
        office.enforcement.decide(approval_id, YesNoAnswer(False), DESK)
