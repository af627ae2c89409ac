"""Tests of generated tools as messages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from reachy_agent_msgs.msg import ToolTestCase

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.verification.case import Case, read_cases


def cases_from_messages(messages: Sequence[ToolTestCase]) -> tuple[Case, ...]:
    """The tests of a request.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming the case and what is wrong with it.
    """
    return read_cases(json.dumps([_document(number, message) for number, message in enumerate(messages, 1)]))


def case_message(case: Case) -> ToolTestCase:
    """A test for a request."""
    expected = "" if case.expect is None else json.dumps(case.expect)
    return ToolTestCase(arguments=json.dumps(dict(case.arguments)), expected=expected, raises=case.raises or "")


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
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Case {number} is no JSON: {error}.") from None
