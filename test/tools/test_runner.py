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
    """Tool runner that adds the outcomes of its calls to a queue."""

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
def test_perform_callback_is_skipped_for_tools_that_only_measure(only_measures: bool) -> None:
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
    """Returns a tool handler that ignores cancellation and the time limit."""

    def handler(_arguments: Any, _context: ToolContext) -> dict[str, Any]:
        release.wait(20.0)
        return {}

    return handler


def obedient(_arguments: Any, context: ToolContext) -> dict[str, Any]:
    context.cancel.wait(20.0)
    context.cancel.raise_if_cancelled()
    return {}


def test_tool_call_ends_with_json_result() -> None:
    desk = Desk(lambda _arguments, _context: {"done": True})
    desk.start()
    outcome = desk.outcome()
    assert outcome.error is None
    assert json.loads(outcome.result_json) == {"done": True}


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [("wrok", "{}", ErrorCode.UNKNOWN_TOOL), ("work", "{", ErrorCode.INVALID_ARGUMENTS)],
)
def test_invalid_request_fails_without_running_tool(name: str, arguments: str, code: ErrorCode) -> None:
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
def test_tool_call_without_permission_does_not_run(permission: Permission, code: ErrorCode) -> None:
    desk = Desk(lambda _arguments, _context: {}, permission=permission)
    desk.start()
    assert desk.error_code() is code


class Approval:
    """Test double of the `Redeem` callback. It holds one approval, which is valid for one call."""

    def __init__(self) -> None:
        self.id = uuid.uuid4()
        self.good_for = {(self.id, "work", "{}")}

    def __call__(self, *call: Any) -> None:
        if call not in self.good_for:
            raise AgentError(ErrorCode.APPROVAL_REQUIRED, "No.")
        self.good_for.remove(call)


def test_approval_is_valid_for_one_call_only() -> None:
    approval = Approval()
    desk = Desk(lambda _arguments, _context: {}, permission=Permission.CONFIRM, redeem=approval)
    for _ in range(2):
        desk.start(arguments_json="{}", approval_id=approval.id)
    errors = {None if (error := desk.outcome().error) is None else error.code for _ in range(2)}
    assert errors == {None, ErrorCode.APPROVAL_REQUIRED}


@pytest.mark.parametrize("arguments_json", ["", "{} "])
def test_approval_is_valid_only_for_exact_arguments(arguments_json: str) -> None:
    approval = Approval()
    desk = Desk(stubborn(threading.Event()), permission=Permission.CONFIRM, redeem=approval)
    desk.start(arguments_json=arguments_json, approval_id=approval.id)
    assert desk.error_code() is ErrorCode.APPROVAL_REQUIRED
    assert approval.good_for


def test_call_rejected_for_capacity_keeps_its_approval(release: threading.Event) -> None:
    approvals = [Approval() for _ in range(3)]

    def redeem(approval_id: uuid.UUID, tool: str, arguments_json: str) -> None:
        next(one for one in approvals if one.id == approval_id)(approval_id, tool, arguments_json)

    desk = Desk(stubborn(release), permission=Permission.CONFIRM, redeem=redeem)
    for approval in approvals:
        desk.start(arguments_json="{}", approval_id=approval.id)
    assert desk.error_code() is ErrorCode.SERVER_UNAVAILABLE
    wait_until(lambda: [bool(one.good_for) for one in approvals] == [False, False, True])


def test_call_with_confirmation_rule_requires_approval() -> None:
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


def test_forbidden_call_does_not_use_approval() -> None:
    def forbid(request: ToolRequest) -> str | None:
        raise AgentError(ErrorCode.APPROVAL_DENIED, f"{request.name} is forbidden.")

    approval = Approval()
    desk = Desk(lambda _arguments, _context: {}, redeem=approval, reason_to_ask=forbid)
    desk.start(arguments_json="{}", approval_id=approval.id)
    assert desk.error_code() is ErrorCode.APPROVAL_DENIED
    assert approval.good_for


def test_autonomous_tool_does_not_redeem_approval() -> None:
    desk = Desk(lambda _arguments, _context: {}, redeem=nobody_approves)
    desk.start(approval_id=uuid.uuid4())
    assert desk.outcome().error is None


def test_cancelling_call_is_idempotent() -> None:
    desk = Desk(obedient)
    call = desk.start()
    call.cancel()
    call.cancel()
    assert desk.error_code() is ErrorCode.CANCELED
    call.cancel()
    assert desk.outcomes.empty()


def test_time_limit_ends_call_whose_handler_ignores_it(release: threading.Event) -> None:
    desk = Desk(stubborn(release), time_limit=0.05)
    desk.start()
    assert desk.error_code() is ErrorCode.TIMEOUT
    assert desk.runner.running == 1, "a call counts as running until its thread ends"
    release.set()
    wait_until(lambda: desk.runner.running == 0)
    assert desk.outcomes.empty(), "the call ended twice"


def test_requested_time_limit_can_only_shorten_tool_time_limit() -> None:
    desk = Desk(obedient, time_limit=0.05)
    desk.start(time_allowance=100.0)
    assert desk.error_code() is ErrorCode.TIMEOUT
    desk = Desk(obedient, time_limit=100.0)
    desk.start(time_allowance=0.05)
    assert desk.error_code() is ErrorCode.TIMEOUT


def test_rejects_concurrent_calls_beyond_capacity(release: threading.Event) -> None:
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
def test_exception_in_tool_is_logged_and_fails_call(handler: Handler, caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(handler)
    desk.start()
    assert desk.error_code() is ErrorCode.TOOL_FAILED
    assert "work failed" in caplog.text


def test_motion_rejected_by_body_fails_call_with_measured_pose() -> None:
    def handler(_arguments: Any, context: ToolContext) -> dict[str, Any]:
        context.move(PoseMotion(body_yaw=1.0))
        return {}

    desk = Desk(handler, body=RecordingBody(refusal=AgentError(ErrorCode.PREEMPTED, "a newer motion took over")))
    desk.start()
    outcome = desk.outcome()
    assert outcome.error is not None
    assert outcome.error.code is ErrorCode.PREEMPTED
    assert outcome.motion is not None


def test_runner_reports_progress_of_tool() -> None:
    def handler(_arguments: Any, context: ToolContext) -> dict[str, Any]:
        context.report(Progress(0.5, "half way"))
        return {}

    desk = Desk(handler)
    desk.start()
    desk.outcome()
    assert desk.progress == [Progress(0.5, "half way")]


def test_closing_runner_ends_every_running_call() -> None:
    desk = Desk(obedient)
    desk.start()
    wait_until(lambda: desk.runner.running == 1)
    desk.runner.close()
    assert desk.error_code() is ErrorCode.SHUTTING_DOWN
    assert desk.runner.running == 0


def test_end_all_ends_running_calls_and_permits_new_calls() -> None:
    desk = Desk(obedient)
    call = desk.start()
    wait_until(lambda: desk.runner.running == 1)
    desk.runner.end_all(AgentError(ErrorCode.EMERGENCY_STOPPED, "The robot was stopped."))
    assert desk.error_code() is ErrorCode.EMERGENCY_STOPPED
    wait_until(lambda: desk.runner.running == 0)
    call.cancel()  # the caller may not know yet that the call has ended
    desk.start()
    wait_until(lambda: desk.runner.running == 1)
    desk.runner.close()
