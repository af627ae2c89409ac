"""What the toolsmith tells and is told, between messages and plain values."""

from __future__ import annotations

import json
from collections.abc import Iterable

from reachy_agent_msgs.msg import ToolTestCase, ToolTestResult, ToolVerdict, ToolVersion
from reachy_agent_msgs.srv import GetTool

from reachy_agent_ros.gateway.ports import workshop
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

STATES = {ToolVersion.WAITING: "waiting", ToolVersion.APPROVED: "approved", ToolVersion.REJECTED: "rejected"}


def case_message(case: workshop.Case) -> ToolTestCase:
    """A test for a request."""
    expected = "" if case.expect is None else json.dumps(case.expect)
    return ToolTestCase(arguments=json.dumps(dict(case.args)), expected=expected, raises=case.raises)


def case_from_message(message: ToolTestCase) -> workshop.Case:
    """A test of an answer."""
    expected = json.loads(message.expected) if message.expected else None
    return workshop.Case(json.loads(message.arguments or "{}"), expected, message.raises)


def verdicts_from_messages(messages: Iterable[ToolVerdict]) -> list[workshop.Verdict]:
    """What the stages found."""
    return [workshop.Verdict(one.stage, one.ok, one.reason, seconds_of(one.duration)) for one in messages]


def results_from_messages(messages: Iterable[ToolTestResult]) -> list[workshop.CaseResult]:
    """How the tests went."""
    return [
        workshop.CaseResult(one.ok, json.loads(one.result or "null"), one.error_msg, seconds_of(one.duration))
        for one in messages
    ]


def generated_tool(name: str, answer: GetTool.Response) -> workshop.GeneratedTool:
    """All that is known of a generated tool."""
    versions = [_version(one) for one in answer.versions]
    return workshop.GeneratedTool(name, answer.source, answer.version, answer.enabled, answer.reason, versions)


def _version(message: ToolVersion) -> workshop.ToolVersion:
    return workshop.ToolVersion(
        version=message.version,
        state=STATES[message.state],
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
        verdicts=verdicts_from_messages(message.verdicts),
        cases=[case_from_message(one) for one in message.cases],
        runs=message.runs,
        successes=message.successes,
        failures=list(message.failures),
    )
