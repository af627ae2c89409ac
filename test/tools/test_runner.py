from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from queue import Queue
from typing import Any

import pytest

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tools.body import PoseMotion
from reachy_agent_ros.tools.call import CallOutcome, ToolRequest, unobserved
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.context import Body, Progress, ToolContext
from reachy_agent_ros.tools.execution_style import ExecutionStyle
from reachy_agent_ros.tools.runner import ReasonToAsk, Redeem, ToolRunner, no_rules, nobody_approves
from reachy_agent_ros.tools.tool import Permission, Tool, ToolSpecification
from support.waiting import wait_until

Handler = Callable[[Any, ToolContext], dict[str, Any]]


class Desk:
    """A runner whose outcomes arrive in a queue."""

    def __init__(
        self,
        handler: Handler,
        time_limit: float = 5.0,
        permission: Permission = Permission.AUTONOMOUS,
        body: Body | None = None,
        redeem: Redeem = nobody_approves,
        reason_to_ask: ReasonToAsk = no_rules,
    ) -> None:
        specification = ToolSpecification("work", "Works.", ToolArguments, time_limit, permission=permission)
        catalogue = ToolCatalogue([Tool(specification, handler)])
        self.runner = ToolRunner(
            catalogue, body or RecordingBody(), capacity=2, redeem=redeem, reason_to_ask=reason_to_ask
        )
        self.outcomes: Queue[CallOutcome] = Queue()
        self.progress: list[Progress] = []

    def start(self, name: str = "work", **request: Any) -> Any:
        return self.runner.start(ToolRequest(name, **request), self.outcomes.put, self.progress.append)

    def outcome(self) -> CallOutcome:
        return self.outcomes.get(timeout=5.0)

    def error_code(self) -> ErrorCode:
        error = self.outcome().error
        assert error is not None
        return error.code


@pytest.mark.parametrize("only_measures", [False, True])
def test_only_what_does_something_is_a_performance(only_measures: bool) -> None:
    performed: Queue[str] = Queue()

    def perform(request: ToolRequest) -> AbstractContextManager[ExecutionStyle]:
        performed.put(request.name)
        return unobserved(request)

    specification = ToolSpecification("work", "Works.", ToolArguments, 5.0, only_measures=only_measures)
    catalogue = ToolCatalogue([Tool(specification, lambda _arguments, _context: {})])
    outcomes: Queue[CallOutcome] = Queue()
    ToolRunner(catalogue, RecordingBody(), perform=perform).start(ToolRequest("work"), outcomes.put)
    assert outcomes.get(timeout=5.0).error is None
    assert performed.empty() is only_measures


@pytest.fixture
def release() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def stubborn(release: threading.Event) -> Handler:
    """Obeys neither cancel nor time."""

    def handler(_arguments: Any, _context: ToolContext) -> dict[str, Any]:
        release.wait(20.0)
        return {}

    return handler


def obedient(_arguments: Any, context: ToolContext) -> dict[str, Any]:
    context.cancel.wait(20.0)
    context.cancel.raise_if_cancelled()
    return {}


def test_a_call_ends_with_its_result_as_json() -> None:
    desk = Desk(lambda _arguments, _context: {"done": True})
    desk.start()
    outcome = desk.outcome()
    assert outcome.error is None
    assert json.loads(outcome.result_json) == {"done": True}


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [("wrok", "{}", ErrorCode.UNKNOWN_TOOL), ("work", "{", ErrorCode.INVALID_ARGUMENTS)],
)
def test_a_bad_request_ends_in_an_error_and_runs_nothing(name: str, arguments: str, code: ErrorCode) -> None:
    ran = threading.Event()

    def handler(_arguments: Any, _context: ToolContext) -> dict[str, Any]:
        ran.set()
        return {}

    desk = Desk(handler)
    desk.start(name, arguments_json=arguments)
    assert desk.error_code() is code
    assert not ran.is_set()


@pytest.mark.parametrize(
    ("permission", "code"),
    [(Permission.CONFIRM, ErrorCode.APPROVAL_REQUIRED), (Permission.FORBIDDEN, ErrorCode.APPROVAL_DENIED)],
)
def test_what_a_person_must_allow_does_not_run(permission: Permission, code: ErrorCode) -> None:
    desk = Desk(lambda _arguments, _context: {}, permission=permission)
    desk.start()
    assert desk.error_code() is code


class Approval:
    """One yes to one call; a `Redeem`."""

    def __init__(self) -> None:
        self.id = uuid.uuid4()
        self.good_for = {(self.id, "work", "{}")}

    def __call__(self, *call: Any) -> None:
        if call not in self.good_for:
            raise AgentError(ErrorCode.APPROVAL_REQUIRED, "No.")
        self.good_for.remove(call)


def test_an_approval_lets_its_tool_run_once() -> None:
    approval = Approval()
    desk = Desk(lambda _arguments, _context: {}, permission=Permission.CONFIRM, redeem=approval)
    for _ in range(2):
        desk.start(arguments_json="{}", approval_id=approval.id)
    errors = {None if (error := desk.outcome().error) is None else error.code for _ in range(2)}
    assert errors == {None, ErrorCode.APPROVAL_REQUIRED}


@pytest.mark.parametrize("arguments_json", ["", "{} "])
def test_an_approval_holds_for_the_very_arguments_that_a_person_saw(arguments_json: str) -> None:
    approval = Approval()
    desk = Desk(stubborn(threading.Event()), permission=Permission.CONFIRM, redeem=approval)
    desk.start(arguments_json=arguments_json, approval_id=approval.id)
    assert desk.error_code() is ErrorCode.APPROVAL_REQUIRED
    assert approval.good_for


def test_an_approval_is_not_used_up_by_a_call_that_there_is_no_room_for(release: threading.Event) -> None:
    approvals = [Approval() for _ in range(3)]

    def redeem(approval_id: uuid.UUID, tool: str, arguments_json: str) -> None:
        next(one for one in approvals if one.id == approval_id)(approval_id, tool, arguments_json)

    desk = Desk(stubborn(release), permission=Permission.CONFIRM, redeem=redeem)
    for approval in approvals:
        desk.start(arguments_json="{}", approval_id=approval.id)
    assert desk.error_code() is ErrorCode.SERVER_UNAVAILABLE
    wait_until(lambda: [bool(one.good_for) for one in approvals] == [False, False, True], 20.0)


def test_call_that_a_rule_asks_about_runs_once_with_its_approval() -> None:
    approval = Approval()
    desk = Desk(lambda _arguments, _context: {}, redeem=approval, reason_to_ask=lambda _request: "it is a wide turn")
    desk.start(arguments_json="{}")
    error = desk.outcome().error
    assert error is not None
    assert error.code is ErrorCode.APPROVAL_REQUIRED
    assert "it is a wide turn" in error.message
    desk.start(arguments_json="{}", approval_id=approval.id)
    assert desk.outcome().error is None
    desk.start(arguments_json="{}", approval_id=approval.id)
    assert desk.error_code() is ErrorCode.APPROVAL_REQUIRED


def test_call_that_a_rule_forbids_does_not_run_and_uses_no_approval() -> None:
    def forbid(request: ToolRequest) -> str | None:
        raise AgentError(ErrorCode.APPROVAL_DENIED, f"{request.name} is forbidden.")

    approval = Approval()
    desk = Desk(lambda _arguments, _context: {}, redeem=approval, reason_to_ask=forbid)
    desk.start(arguments_json="{}", approval_id=approval.id)
    assert desk.error_code() is ErrorCode.APPROVAL_DENIED
    assert approval.good_for


def test_a_tool_that_needs_no_approval_asks_for_none() -> None:
    desk = Desk(lambda _arguments, _context: {}, redeem=nobody_approves)
    desk.start(approval_id=uuid.uuid4())
    assert desk.outcome().error is None


def test_a_cancelled_call_ends_cancelled_and_cancelling_again_changes_nothing() -> None:
    desk = Desk(obedient)
    call = desk.start()
    call.cancel()
    call.cancel()
    assert desk.error_code() is ErrorCode.CANCELED
    call.cancel()
    assert desk.outcomes.empty()


def test_the_time_limit_ends_a_handler_that_does_not_obey(release: threading.Event) -> None:
    desk = Desk(stubborn(release), time_limit=0.05)
    desk.start()
    assert desk.error_code() is ErrorCode.TIMEOUT
    assert desk.runner.running == 1, "its thread still works, so it still counts"
    release.set()
    wait_until(lambda: desk.runner.running == 0, 20.0)
    assert desk.outcomes.empty(), "it ended twice"


def test_an_allowance_shortens_the_limit_and_never_lengthens_it() -> None:
    desk = Desk(obedient, time_limit=0.05)
    desk.start(time_allowance=100.0)
    assert desk.error_code() is ErrorCode.TIMEOUT
    desk = Desk(obedient, time_limit=100.0)
    desk.start(time_allowance=0.05)
    assert desk.error_code() is ErrorCode.TIMEOUT


def test_calls_beyond_the_capacity_are_refused_and_the_others_go_on(release: threading.Event) -> None:
    desk = Desk(stubborn(release))
    for _ in range(3):
        desk.start()
    refused = desk.outcome()
    assert refused.error is not None
    assert refused.error.code is ErrorCode.SERVER_UNAVAILABLE
    release.set()
    assert [desk.outcome().error, desk.outcome().error] == [None, None]


@pytest.mark.parametrize(
    "handler", [lambda _a, _c: 1 / 0, lambda _a, _c: {"x": {1}}, lambda _a, _c: {"x": float("nan")}]
)
def test_a_bug_in_a_tool_is_a_failed_call(handler: Handler, caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(handler)
    desk.start()
    assert desk.error_code() is ErrorCode.TOOL_FAILED
    assert "work failed" in caplog.text


def test_the_body_s_refusal_is_the_outcome_and_its_measured_pose_is_kept() -> None:
    def handler(_arguments: Any, context: ToolContext) -> dict[str, Any]:
        context.move(PoseMotion(body_yaw=1.0))
        return {}

    desk = Desk(handler, body=RecordingBody(refusal=AgentError(ErrorCode.PREEMPTED, "a newer motion took over")))
    desk.start()
    outcome = desk.outcome()
    assert outcome.error is not None
    assert outcome.error.code is ErrorCode.PREEMPTED
    assert outcome.motion is not None


def test_progress_is_passed_on_until_the_end() -> None:
    def handler(_arguments: Any, context: ToolContext) -> dict[str, Any]:
        context.report(Progress(0.5, "half way"))
        return {}

    desk = Desk(handler)
    desk.start()
    desk.outcome()
    assert desk.progress == [Progress(0.5, "half way")]


def test_closing_ends_every_running_call() -> None:
    desk = Desk(obedient)
    desk.start()
    wait_until(lambda: desk.runner.running == 1, 20.0)
    desk.runner.close()
    assert desk.error_code() is ErrorCode.SHUTTING_DOWN
    assert desk.runner.running == 0


def test_all_that_runs_can_be_ended_and_more_be_started() -> None:
    desk = Desk(obedient)
    call = desk.start()
    wait_until(lambda: desk.runner.running == 1, 20.0)
    desk.runner.end_all(AgentError(ErrorCode.EMERGENCY_STOPPED, "The robot was stopped."))
    assert desk.error_code() is ErrorCode.EMERGENCY_STOPPED
    wait_until(lambda: desk.runner.running == 0, 20.0)
    call.cancel()  # as its caller may, who does not know yet
    desk.start()
    wait_until(lambda: desk.runner.running == 1, 20.0)
    desk.runner.close()
