"""Dry run of a test case. The tool runs in the sandbox with a simulated robot in virtual time.

The host compares the results, using JSON types only.
"""

from __future__ import annotations

import builtins
import json
import math
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.arguments import parse_arguments
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.simulation.virtual_body import VirtualBody
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.job import LONGEST_TIME, Clock, Job, RunEnd
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.verification.case import Case, CaseResult
from reachy_agent_ros.tools.context import ToolContext

_MISTAKES = ("NameError", "AttributeError", "ImportError", "TypeError", "AssertionError", "RuntimeError", "MemoryError")
"""Exceptions that indicate a mistake in the source, regardless of the arguments."""

_RELATIVE = 1e-6
"""Relative tolerance for equal numbers."""

_ABSOLUTE = 1e-9
"""Absolute tolerance for equal numbers; sin(pi) is not exactly 0."""

_LONGEST = 120
"""Maximum number of characters of a value in a message."""

_NUMBER = "a number"
_KINDS = {bool: "a boolean", str: "a text", list: "a list", dict: "an object", type(None): "null"}


class DryRun:
    """Runs test cases one after another on a simulated robot.

    Sandbox and broker work as in a live run. Only the kind of time is different.

    Args:
        sandbox: Sandbox that runs the tool.
        body: Simulated body, reset before each case.
        web: Fetcher of pages for the tool.
        photos: Folder for the photo paths that the tool receives, as in a live run; None for the default.
    """

    def __init__(self, sandbox: Sandbox, body: VirtualBody, web: Fetcher, photos: Path | None = None) -> None:
        self._sandbox = sandbox
        self._body = body
        self._web = web
        self._photos = photos or state_directory() / "photos"

    def run(self, program: Program, case: Case, cancel: CancelToken) -> CaseResult:
        """Runs a test case to its end. The time limit applies to virtual time, which includes sleeping.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE`, `SHUTTING_DOWN`: there is no sandbox; `ROBOT_DISCONNECTED`: there is no
                simulated robot.
        """
        try:
            checked = parse_arguments(program.name, program.arguments, json.dumps(dict(case.arguments)))
        except AgentError as refusal:
            # The arguments of a call are checked before a tool runs, so that invalid ones never reach the tool.
            return CaseResult(case, "" if case.raises else f"its arguments are invalid: {refusal.message}")
        self._body.reset()
        with tempfile.TemporaryDirectory(prefix="rehearsal-") as folder:
            return self._played(program, case, checked.model_dump(mode="json"), cancel, Path(folder))

    def _played(
        self, program: Program, case: Case, arguments: Mapping[str, Any], cancel: CancelToken, folder: Path
    ) -> CaseResult:
        limit = LONGEST_TIME if case.invented else program.limits.time
        context = ToolContext(self._body, Deadline(limit, lambda: self._body.now), lambda _progress: None, cancel)
        equipment = Equipment(self._photos, self._web, self._body, limit, scratch=folder)
        broker = Broker(self._body, context, equipment, program.needs)
        job = Job(program.source, program.name, arguments, program.limits, Clock.VIRTUAL)
        try:
            end = self._sandbox.run(job, broker.answer, broker.cancel)
        finally:
            broker.close()
        if end.error is not None and end.error.code in (ErrorCode.SANDBOX_UNAVAILABLE, ErrorCode.SHUTTING_DOWN):
            raise end.error  # not a fault of the tool
        reason = broker.ended.message if broker.ended is not None else _complaint(case, end)
        record = broker.record
        commands, violations = len(record.commands), tuple(f"{one.verb}: {one.message}" for one in record.violations)
        return CaseResult(case, reason, end.result, end.log, commands, violations, self._body.now, end.elapsed)


def difference(expected: Any, got: Any, place: str = "result") -> str | None:
    """Describes the first difference between a result and the expected value. Returns None if they match.

    An object must have every expected key with a matching value, and may have others. Lists match item by item, numbers
    within `_RELATIVE` or `_ABSOLUTE`, everything else exactly; true is not 1.

    Args:
        expected: Expected JSON value.
        got: JSON value, from the sandbox.
        place: Name of the value in the message.

    Returns:
        Message that names the place; None if they match.
    """
    if _kind(expected) != _kind(got):
        return f"{place}: expected {_kind(expected)}, {shown(expected)}, got {_kind(got)}, {shown(got)}"
    if isinstance(expected, dict):
        return _in_object(expected, got, place)
    if isinstance(expected, list):
        return _in_list(expected, got, place)
    is_number = _kind(expected) == _NUMBER
    same = math.isclose(expected, got, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE) if is_number else expected == got
    return None if same else f"{place}: expected {shown(expected)}, got {shown(got)}"


def shown(value: Any) -> str:
    """Formats a JSON value for a message. Long text is truncated."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"


def is_kind_of(raised: str, wanted: str) -> bool:
    """Returns whether the exception type `raised` is the type `wanted` or one of its subclasses.

    Subclasses are recognized only if both types are built-in, or the wanted type is `Exception` or `BaseException`.
    """
    if raised == wanted or (raised and wanted in ("Exception", "BaseException")):
        return True
    one, other = getattr(builtins, raised, None), getattr(builtins, wanted, None)
    return isinstance(one, type) and isinstance(other, type) and issubclass(one, other)


def _complaint(case: Case, end: RunEnd) -> str:
    """Returns the reason why a run failed its test case, or "" if it passed."""
    if case.raises is not None:
        if end.raised and is_kind_of(end.raised, case.raises):
            return ""
        ending = "it returned a result" if end.error is None else f"it failed: {end.error.message}"
        return f"it should have raised {case.raises}, but {ending}"
    if end.error is not None:
        return "" if case.invented and case.arguments and _blames_arguments(end.raised) else end.error.message
    if not isinstance(end.result, dict):
        return f"it returned {_kind(end.result)}; a tool must return a dict"
    return "" if case.expect is None else difference(case.expect, end.result) or ""


def _blames_arguments(raised: str) -> bool:
    """Returns whether the value of an argument, rather than a mistake in the source, may have caused an exception."""
    return bool(raised) and not any(is_kind_of(raised, mistake) for mistake in _MISTAKES)


def _kind(value: Any) -> str:
    """Returns the name of the type of a JSON value."""
    return _KINDS.get(type(value), _NUMBER)


def _in_object(expected: dict[str, Any], got: dict[str, Any], place: str) -> str | None:
    for key, value in expected.items():
        inside = f"{place}[{json.dumps(key, ensure_ascii=False)}]"
        if key not in got:
            keys = ", ".join(map(repr, got)) or "none"
            return f"{inside} is missing; found keys: {keys:.120}"
        found = difference(value, got[key], inside)
        if found is not None:
            return found
    return None


def _in_list(expected: list[Any], got: list[Any], place: str) -> str | None:
    if len(expected) != len(got):
        return f"{place}: expected {len(expected)} items, {shown(expected)}, got {len(got)}, {shown(got)}"
    found = (difference(one, other, f"{place}[{n}]") for n, (one, other) in enumerate(zip(expected, got, strict=True)))
    return next(filter(None, found), None)
