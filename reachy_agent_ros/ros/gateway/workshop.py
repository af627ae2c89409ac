"""Generation, verification, review and versions of tools over ROS."""

from __future__ import annotations

import json
from collections.abc import Iterable

from rclpy.node import Node
from reachy_agent_msgs.action import GenerateTool
from reachy_agent_msgs.msg import ToolTestCase, ToolTestResult, ToolVerdict, ToolVersion
from reachy_agent_msgs.srv import (
    DeleteTool,
    GetTool,
    RegisterTool,
    ReviewTool,
    RollBackTool,
    SetToolEnabled,
    TestTool,
)

from reachy_agent_ros.agent.conversation.turn import QUEUE_TIME
from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.gateway.callers import Caller
from reachy_agent_ros.gateway.models.workshop import (
    CaseModel,
    CaseResultModel,
    CheckAnswer,
    CheckRequest,
    GenerateAnswer,
    GeneratedToolAnswer,
    GenerateRequest,
    ReviewState,
    RollBackAnswer,
    TestResults,
    ToolReviewRequest,
    ToolVersionModel,
    ValidationResult,
    VerdictModel,
)
from reachy_agent_ros.ros.gateway.node_calls import ask
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller, require_success
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_message

_PROVING_TIME = 300.0
"""Time limit of a verification, including the wait for earlier ones, s."""

_PROOFS = 8
"""Maximum number of pending verifications, which the tool server runs one at a time."""

_WRITING_TIME = 600.0
"""Time limit of a turn in which a model writes, verifies and repairs a tool, s."""

_ORDERS = 8
"""Maximum number of pending requests to write a tool, which the agent's model handles one at a time."""

_STATES: dict[int, ReviewState] = {
    ToolVersion.WAITING: "waiting",
    ToolVersion.APPROVED: "approved",
    ToolVersion.REJECTED: "rejected",
}


class RosWorkshop:
    """Implements `WorkshopService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        server = watches.of(names.TOOL_SERVER)
        self._proofs = LongCalls("tool verifications", _PROOFS)
        self._orders = LongCalls("tool generations", _ORDERS)
        self._generate = ActionCaller(node, GenerateTool, names.GENERATE_TOOL, watches.of(names.AGENT))
        self._test = ServiceCaller(node, TestTool, names.TEST_TOOL, server)
        self._register = ServiceCaller(node, RegisterTool, names.REGISTER_TOOL, server)
        self._get = ServiceCaller(node, GetTool, names.GET_TOOL, server)
        self._review = ServiceCaller(node, ReviewTool, names.REVIEW_TOOL, server)
        self._enable = ServiceCaller(node, SetToolEnabled, names.SET_TOOL_ENABLED, server)
        self._roll_back = ServiceCaller(node, RollBackTool, names.ROLL_BACK_TOOL, server)
        self._delete = ServiceCaller(node, DeleteTool, names.DELETE_TOOL, server)

    async def check(self, asked: CheckRequest) -> CheckAnswer:
        """Implements `WorkshopService.check`."""
        request = TestTool.Request(source=asked.code, cases=[_case_message(one) for one in asked.test_cases])
        answer = await self._proofs.run(lambda token: self._test.ask(request, _PROVING_TIME, token))
        return CheckAnswer(
            validation_result=_validation(answer.passed, answer.verdicts),
            test_results=_results(answer.results),
            robot_commands=answer.robot_commands,
            violations=list(answer.violations),
        )

    async def generate(self, asked: GenerateRequest, caller: Caller) -> GenerateAnswer:
        """Implements `WorkshopService.generate`."""
        return await (self._register_code(asked, caller) if asked.code.strip() else self._write(asked, caller))

    async def _register_code(self, asked: GenerateRequest, caller: Caller) -> GenerateAnswer:
        request = RegisterTool.Request(
            source=asked.code,
            explanation=asked.explanation or asked.description,
            author=caller.name,
            request=asked.description,
            asked_by=caller.principal.token,
            cases=[_case_message(one) for one in asked.test_cases],
        )
        answer = await self._proofs.run(lambda token: self._register.call(request, _PROVING_TIME, token))
        if answer.error_code != ErrorCode.VALIDATION_FAILED:  # in this case, the verdicts explain more than the error
            require_success(answer)
        return GenerateAnswer(
            tool_name=answer.name,
            version=answer.version,
            registered=bool(answer.version) and answer.registered,
            waiting=bool(answer.version) and not answer.registered,
            code=asked.code,
            validation_result=_validation(answer.error_code == ErrorCode.NONE, answer.verdicts),
            test_results=_results(answer.results),
        )

    async def _write(self, asked: GenerateRequest, caller: Caller) -> GenerateAnswer:
        """Generates a tool with the agent's model."""
        goal = GenerateTool.Goal(
            description=asked.description,
            cases=[_case_message(one) for one in asked.test_cases],
            asked_by=principal_message(caller.principal),
            time_allowance=duration_message(_WRITING_TIME),
        )
        limit = _WRITING_TIME + QUEUE_TIME
        made = await self._orders.run(lambda token: self._generate.ask(goal, limit, token))
        return GenerateAnswer(
            tool_name=made.name,
            version=made.version,
            registered=bool(made.version) and not made.waiting_for_review,
            waiting=made.waiting_for_review,
            code=made.source,
            validation_result=_validation(True, made.verdicts),
            test_results=_results(made.results),
        )

    async def tool(self, name: str, version: int) -> GeneratedToolAnswer:
        """Implements `WorkshopService.tool`."""
        answer = await ask(self._get, GetTool.Request(name=name, version=version))
        return GeneratedToolAnswer(
            name=name,
            code=answer.source,
            version=answer.version,
            enabled=answer.enabled,
            reason=answer.reason,
            versions=[_version(one) for one in answer.versions],
        )

    async def review(self, name: str, asked: ToolReviewRequest, decided_by: Principal) -> None:
        """Implements `WorkshopService.review`."""
        request = ReviewTool.Request(
            name=name,
            version=asked.version,
            approve=asked.approve,
            comment=asked.comment,
            decided_by=principal_message(decided_by),
        )
        await ask(self._review, request)

    async def enable(self, name: str, enabled: bool) -> None:
        """Implements `WorkshopService.enable`."""
        await ask(self._enable, SetToolEnabled.Request(name=name, enabled=enabled))

    async def roll_back(self, name: str, version: int) -> RollBackAnswer:
        """Implements `WorkshopService.roll_back`."""
        answer = await ask(self._roll_back, RollBackTool.Request(name=name, version=version))
        return RollBackAnswer(version=version, previous_version=answer.previous_version)

    async def delete(self, name: str) -> None:
        """Implements `WorkshopService.delete`."""
        await ask(self._delete, DeleteTool.Request(name=name))


def _validation(passed: bool, messages: Iterable[ToolVerdict]) -> ValidationResult:
    return ValidationResult(ok=passed, verdicts=[_verdict(one) for one in messages])


def _verdict(message: ToolVerdict) -> VerdictModel:
    return VerdictModel(
        stage=message.stage, ok=message.ok, reason=message.reason, duration=seconds_of(message.duration)
    )


def _results(messages: Iterable[ToolTestResult]) -> TestResults:
    results = [
        CaseResultModel(
            ok=one.ok,
            result=json.loads(one.result or "null"),
            error=one.error_msg,
            duration=seconds_of(one.duration),
        )
        for one in messages
    ]
    passed = sum(one.ok for one in results)
    return TestResults(passed=passed, failed=len(results) - passed, results=results)


def _case_message(case: CaseModel) -> ToolTestCase:
    expected = "" if case.expect is None else json.dumps(case.expect)
    return ToolTestCase(arguments=json.dumps(case.args), expected=expected, raises=case.raises)


def _case(message: ToolTestCase) -> CaseModel:
    expected = json.loads(message.expected) if message.expected else None
    return CaseModel(args=json.loads(message.arguments or "{}"), expect=expected, raises=message.raises)


def _version(message: ToolVersion) -> ToolVersionModel:
    return ToolVersionModel(
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
        verdicts=[_verdict(one) for one in message.verdicts],
        cases=[_case(one) for one in message.cases],
        runs=message.runs,
        successes=message.successes,
        failures=list(message.failures),
    )
