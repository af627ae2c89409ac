"""The robot's tools over ROS: called, made, proven and reviewed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.action import ExecuteTool, GenerateTool
from reachy_agent_msgs.msg import ToolSpec, ToolTestCase, ToolTestResult, ToolVerdict, ToolVersion
from reachy_agent_msgs.srv import (
    DeleteTool,
    GetTool,
    ListTools,
    RegisterTool,
    ReviewTool,
    RollBackTool,
    SetToolEnabled,
    TestTool,
)

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.gateway.callers import GATEWAY_PREFIX
from reachy_agent_ros.gateway.ports.tools import CatalogueTool, ToolList, ToolResult
from reachy_agent_ros.gateway.ports.workshop import (
    GeneratedSource,
    GeneratedTool,
    GenerationResult,
    StageReport,
    ToolTest,
    ToolTestOutcome,
    VerificationReport,
)
from reachy_agent_ros.gateway.ports.workshop import ToolVersion as GeneratedVersion
from reachy_agent_ros.ros.client.graph_tools import LONGEST_CALL
from reachy_agent_ros.ros.gateway.node_calls import ask
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller, error_of, require_success
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls, in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_message

_SOURCES = {ToolSpec.PREDEFINED: "predefined", ToolSpec.GENERATED: "generated", ToolSpec.EXTERNAL: "external"}

_PERMISSIONS = {
    ToolSpec.AUTONOMOUS: "autonomous",
    ToolSpec.NOTIFY: "notify",
    ToolSpec.CONFIRM: "confirm",
    ToolSpec.FORBIDDEN: "forbidden",
}

CALLS = 32
"""At once, of which most wait for a person: the tool server runs half as many."""

_PROVING_TIME = 300.0
"""s for all stages, behind others who wait for theirs."""

_PROOFS = 8
"""At once; the tool server does one after the other."""

_WRITING_TIME = 600.0
"""s for a turn in which a model writes a tool, proves it and repairs it."""

_WAITING_TIME = 60.0
"""s beyond that, for the turns before it and for the answer."""

_ORDERS = 8
"""Tools that a model is to write, at once; it writes one after the other."""

_STATES = {ToolVersion.WAITING: "waiting", ToolVersion.APPROVED: "approved", ToolVersion.REJECTED: "rejected"}


class RosTools:
    """Implements `gateway.ports.tools.Tools`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        self._list = ServiceCaller(node, ListTools, names.LIST_TOOLS, watches.of(names.TOOL_SERVER))
        self._calls = ActionCaller(node, ExecuteTool, names.CALL_TOOL, watches.of(names.AGENT))
        self._running = LongCalls("tool calls", CALLS)

    async def catalogue(self) -> ToolList:
        """All tools there are now."""
        request = ListTools.Request(include_disabled=True)
        answer = await in_thread(lambda token: self._list.call(request, cancel=token))
        return ToolList(answer.revision, [_tool(one) for one in answer.tools], list(answer.waiting))

    async def execute(self, name: str, arguments: Mapping[str, Any], caller: str, asked_by: str) -> ToolResult:
        """Calls a tool by the agent's permissions and on its record; cancelling this cancels the call."""
        goal = ExecuteTool.Goal(
            name=name,
            arguments_json=json.dumps(arguments),
            caller=f"{GATEWAY_PREFIX}{caller}",
            asked_by=asked_by,
        )
        result = await self._running.run(lambda token: self._calls.call(goal, LONGEST_CALL, token))
        elapsed = seconds_of(result.elapsed)
        error = error_of(result)
        return ToolResult(json.loads(result.result_json) if error is None else {}, elapsed, error)


class RosWorkshop:
    """Implements `gateway.ports.workshop.Workshop`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        server = watches.of(names.TOOL_SERVER)
        self._proofs = LongCalls("proofs of tools", _PROOFS)
        self._orders = LongCalls("tools that are written", _ORDERS)
        self._generate = ActionCaller(node, GenerateTool, names.GENERATE_TOOL, watches.of(names.AGENT))
        self._test = ServiceCaller(node, TestTool, names.TEST_TOOL, server)
        self._register = ServiceCaller(node, RegisterTool, names.REGISTER_TOOL, server)
        self._get = ServiceCaller(node, GetTool, names.GET_TOOL, server)
        self._review = ServiceCaller(node, ReviewTool, names.REVIEW_TOOL, server)
        self._enable = ServiceCaller(node, SetToolEnabled, names.SET_TOOL_ENABLED, server)
        self._roll_back = ServiceCaller(node, RollBackTool, names.ROLL_BACK_TOOL, server)
        self._delete = ServiceCaller(node, DeleteTool, names.DELETE_TOOL, server)

    async def check(self, source: GeneratedSource) -> VerificationReport:
        """Proves a source and keeps nothing."""
        request = TestTool.Request(source=source.code, cases=[_case_message(one) for one in source.cases])
        answer = await self._proofs.run(lambda token: self._test.ask(request, _PROVING_TIME, token))
        return VerificationReport(
            passed=answer.passed,
            verdicts=_verdicts_from_messages(answer.verdicts),
            results=_results_from_messages(answer.results),
            robot_commands=answer.robot_commands,
            violations=list(answer.violations),
        )

    async def register(self, source: GeneratedSource) -> GenerationResult:
        """Proves a source and puts the tool in the catalogue, or in the queue for review."""
        request = RegisterTool.Request(
            source=source.code,
            explanation=source.explanation,
            author=source.author,
            request=source.request,
            asked_by=source.asked_by,
            cases=[_case_message(one) for one in source.cases],
        )
        answer = await self._proofs.run(lambda token: self._register.call(request, _PROVING_TIME, token))
        if answer.error_code != ErrorCode.VALIDATION_FAILED:  # of which the verdicts tell more
            require_success(answer)
        passed = answer.error_code == ErrorCode.NONE
        proof = VerificationReport(
            passed, _verdicts_from_messages(answer.verdicts), _results_from_messages(answer.results)
        )
        waiting = bool(answer.version) and not answer.registered
        return GenerationResult(answer.name, answer.version, waiting, source.code, proof)

    async def write(self, description: str, cases: Sequence[ToolTest], asked_by: Principal) -> GenerationResult:
        """Has the agent write a tool, which takes a model; cancelling this ends the turn."""
        goal = GenerateTool.Goal(
            description=description,
            cases=[_case_message(one) for one in cases],
            asked_by=principal_message(asked_by),
            time_allowance=duration_message(_WRITING_TIME),
        )
        limit = _WRITING_TIME + _WAITING_TIME
        made = await self._orders.run(lambda token: self._generate.ask(goal, limit, token))
        proof = VerificationReport(True, _verdicts_from_messages(made.verdicts), _results_from_messages(made.results))
        return GenerationResult(made.name, made.version, made.waiting_for_review, made.source, proof)

    async def tool(self, name: str, version: int) -> GeneratedTool:
        """A generated tool, with the source of a version; 0: the one that runs, or the newest."""
        return _generated_tool(name, await ask(self._get, GetTool.Request(name=name, version=version)))

    async def review(self, name: str, version: int, approve: bool, comment: str, decided_by: Principal) -> None:
        """Decides about a version that waits."""
        request = ReviewTool.Request(
            name=name, version=version, approve=approve, comment=comment, decided_by=principal_message(decided_by)
        )
        await ask(self._review, request)

    async def enable(self, name: str, enabled: bool) -> None:
        """Lets any tool be called, or not."""
        await ask(self._enable, SetToolEnabled.Request(name=name, enabled=enabled))

    async def roll_back(self, name: str, version: int) -> int:
        """Makes an earlier version run. Returns the one that ran until now."""
        answer = await ask(self._roll_back, RollBackTool.Request(name=name, version=version))
        return int(answer.previous_version)

    async def delete(self, name: str) -> None:
        """Forgets a generated tool."""
        await ask(self._delete, DeleteTool.Request(name=name))


def _tool(spec: ToolSpec) -> CatalogueTool:
    return CatalogueTool(
        name=spec.name,
        description=spec.description,
        parameters=json.loads(spec.arguments_schema),
        version=spec.version,
        source=_SOURCES[spec.origin],
        permission=_PERMISSIONS[spec.permission],
        enabled=spec.enabled,
        moves_robot=spec.moves_robot,
        reversible=spec.reversible,
        untrusted_output=spec.untrusted_output,
        specialist=spec.specialist,
        time_limit=seconds_of(spec.time_limit),
    )


def _case_message(case: ToolTest) -> ToolTestCase:
    """A test for a request."""
    expected = "" if case.expect is None else json.dumps(case.expect)
    return ToolTestCase(arguments=json.dumps(dict(case.args)), expected=expected, raises=case.raises)


def _case_from_message(message: ToolTestCase) -> ToolTest:
    """A test of an answer."""
    expected = json.loads(message.expected) if message.expected else None
    return ToolTest(json.loads(message.arguments or "{}"), expected, message.raises)


def _verdicts_from_messages(messages: Iterable[ToolVerdict]) -> list[StageReport]:
    """What the stages found."""
    return [StageReport(one.stage, one.ok, one.reason, seconds_of(one.duration)) for one in messages]


def _results_from_messages(messages: Iterable[ToolTestResult]) -> list[ToolTestOutcome]:
    """How the tests went."""
    return [
        ToolTestOutcome(one.ok, json.loads(one.result or "null"), one.error_msg, seconds_of(one.duration))
        for one in messages
    ]


def _generated_tool(name: str, answer: GetTool.Response) -> GeneratedTool:
    """All that is known of a generated tool."""
    versions = [_version(one) for one in answer.versions]
    return GeneratedTool(name, answer.source, answer.version, answer.enabled, answer.reason, versions)


def _version(message: ToolVersion) -> GeneratedVersion:
    return GeneratedVersion(
        version=message.version,
        state=_STATES[message.state],
        active=message.active,
        digest=message.digest,
        author=message.author,
        request=message.request,
        explanation=message.explanation,
        asked_by=message.asked_by,
        comment=message.comment,
        decided_by=message.decided_by,
        needs=list(message.needs),
        created=seconds_of(message.created),
        time_limit=seconds_of(message.time_limit),
        memory_limit=message.memory_limit,
        verdicts=_verdicts_from_messages(message.verdicts),
        cases=[_case_from_message(one) for one in message.cases],
        runs=message.runs,
        successes=message.successes,
        failures=list(message.failures),
    )
