"""Messages of generated tools and their tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from reachy_agent_msgs.msg import ToolTestCase, ToolTestResult, ToolVerdict, ToolVersion

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, stamp_message
from reachy_agent_ros.tool_generation.registry.manifest import Manifest
from reachy_agent_ros.tool_generation.registry.version import CaseRecord, Usage, Version, VersionState
from reachy_agent_ros.tool_generation.verdict import Verdict
from reachy_agent_ros.tool_generation.verification.case import Case, CaseResult, read_cases

_STATES = {
    VersionState.WAITING: ToolVersion.WAITING,
    VersionState.APPROVED: ToolVersion.APPROVED,
    VersionState.REJECTED: ToolVersion.REJECTED,
}


def cases_from_messages(messages: Sequence[ToolTestCase]) -> tuple[Case, ...]:
    """Returns the test cases of a request.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a case is invalid. The message contains its number and the reason.
    """
    return read_cases(json.dumps([_document(number, message) for number, message in enumerate(messages, 1)]))


def case_message(case: Case) -> ToolTestCase:
    """Returns the message for a test case."""
    expected = "" if case.expect is None else json.dumps(case.expect)
    return ToolTestCase(arguments=json.dumps(dict(case.arguments)), expected=expected, raises=case.raises or "")


def verdict_messages(verdicts: Iterable[Verdict]) -> list[ToolVerdict]:
    """Returns the messages for the verdicts of the verification stages."""
    return [
        ToolVerdict(stage=str(one.stage), ok=one.ok, reason=one.reason, duration=duration_message(one.duration))
        for one in verdicts
    ]


def result_messages(results: Iterable[CaseResult]) -> list[ToolTestResult]:
    """Returns the messages for test results."""
    return [
        _result_message(one.ok, "" if one.result is None else json.dumps(one.result), one.reason, one.elapsed)
        for one in results
    ]


def recorded_results(cases: Iterable[CaseRecord]) -> list[ToolTestResult]:
    """Returns the messages for the test results from the registration of a version."""
    return [_result_message(one.ok, _whole_json(one.result), one.error, one.duration) for one in cases]


def version_message(manifest: Manifest, version: Version, usage: Usage) -> ToolVersion:
    """Returns the message for a tool version."""
    record = version.record
    return ToolVersion(
        version=version.number,
        state=_STATES[version.state],
        active=version.number == manifest.active,
        digest=version.digest,
        author=record.author,
        request=record.request,
        explanation=record.explanation,
        asked_by=record.asked_by,
        comment=version.comment,
        decided_by=version.decided_by,
        needs=sorted(version.needs),
        created=stamp_message(version.created),
        time_limit=duration_message(version.limits.time),
        memory_limit=version.limits.memory,
        verdicts=verdict_messages(record.verdicts),
        cases=[
            ToolTestCase(arguments=one.arguments, expected=one.expected, raises=one.raises)
            for one in record.cases
            if not one.invented
        ],
        runs=usage.runs,
        successes=usage.successes,
        failures=[one.message for one in usage.failures],
    )


def _result_message(ok: bool, result: str, reason: str, duration: float) -> ToolTestResult:
    return ToolTestResult(
        ok=ok,
        result=result,
        error_code=int(ErrorCode.NONE if ok else ErrorCode.TOOL_FAILED),
        error_msg=reason,
        duration=duration_message(duration),
    )


def _whole_json(kept: str) -> str:
    """Returns a stored result as JSON. A truncated result becomes a JSON string."""
    try:
        json.loads(kept or "null")
    except (ValueError, RecursionError):
        return json.dumps(kept)
    return kept


def _document(number: int, message: ToolTestCase) -> dict[str, Any]:
    document = {"args": _json(number, message.arguments or "{}")}
    if message.expected:
        document["expect"] = _json(number, message.expected)
    if message.raises:
        document["raises"] = message.raises
    return document


def _json(number: int, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Case {number} is not JSON: {error}.") from None
