"""One case, run in a box over a robot in virtual time."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.arguments import parse_arguments
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.equipment import Equipment
from reachy_agent_ros.tool_generation.broker.page import Web
from reachy_agent_ros.tool_generation.job import Clock, Job, RunEnd
from reachy_agent_ros.tool_generation.limits import LONGEST_TIME
from reachy_agent_ros.tool_generation.program import Program
from reachy_agent_ros.tool_generation.proving.case import Case
from reachy_agent_ros.tool_generation.proving.case_result import CaseResult
from reachy_agent_ros.tool_generation.proving.comparison import difference, is_kind_of, kind
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.twin.virtual_body import VirtualBody
from reachy_agent_ros.tools.context import Progress, ToolContext

_MISTAKES = ("NameError", "AttributeError", "ImportError", "TypeError", "AssertionError", "RuntimeError", "MemoryError")
"""Exceptions that speak against the source, whatever the arguments."""


class Rehearsal:
    """Runs cases on one body, one at a time. Box and broker are those of a live run; only the clock is not.

    Args:
        sandbox: Where the tool runs.
        body: What it commands; reset before each case.
        web: What it may fetch.
        photos: Folder in which the tool is told that its photos lie, as in a live run; None: the usual one.
    """

    def __init__(self, sandbox: Sandbox, body: VirtualBody, web: Web, photos: Path | None = None) -> None:
        self._sandbox = sandbox
        self._body = body
        self._web = web
        self._photos = photos or state_directory() / "photos"

    def run(self, program: Program, case: Case, cancel: CancelToken) -> CaseResult:
        """Runs a case to its end. Its time limit counts virtual time: a tool that sleeps a minute takes a minute.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE`, `SHUTTING_DOWN`: there is no box to run it in; `ROBOT_DISCONNECTED`:
                there is no twin.
        """
        try:
            arguments = _admitted(program, case.arguments)
        except AgentError as refusal:
            # A caller's arguments are checked before a tool runs, so that wrong ones never reach it.
            return CaseResult(case, "" if case.raises else f"its arguments are refused: {refusal.message}")
        self._body.reset()
        with tempfile.TemporaryDirectory(prefix="rehearsal-") as folder:
            return self._played(program, case, arguments, cancel, Path(folder))

    def _played(
        self, program: Program, case: Case, arguments: Mapping[str, Any], cancel: CancelToken, folder: Path
    ) -> CaseResult:
        limit = LONGEST_TIME if case.invented else program.limits.time
        context = ToolContext(self._body, Deadline(limit, lambda: self._body.now), _unheard, cancel)
        equipment = Equipment(self._photos, self._web, self._body, limit, scratch=folder)
        broker = Broker(self._body, context, equipment, program.needs)
        job = Job(program.source, program.name, arguments, program.limits, Clock.VIRTUAL)
        try:
            end = self._sandbox.run(job, broker.answer, broker.cancel)
        finally:
            broker.close()
        if end.error is not None and end.error.code in (ErrorCode.SANDBOX_UNAVAILABLE, ErrorCode.SHUTTING_DOWN):
            raise end.error  # no tool is to blame
        reason = broker.ended.message if broker.ended is not None else _complaint(case, end)
        record = broker.record
        commands, violations = len(record.commands), tuple(f"{one.verb}: {one.message}" for one in record.violations)
        return CaseResult(case, reason, end.result, end.log, commands, violations, self._body.now, end.elapsed)


def _admitted(program: Program, arguments: Mapping[str, Any]) -> dict[str, Any]:
    checked = parse_arguments(program.name, program.arguments, json.dumps(dict(arguments)))
    return checked.model_dump(mode="json")


def _complaint(case: Case, end: RunEnd) -> str:
    """Why an end is not the one that the case asks for; empty where it is."""
    if case.raises is not None:
        if end.raised and is_kind_of(end.raised, case.raises):
            return ""
        ending = "it returned a result" if end.error is None else f"this came: {end.error.message}"
        return f"it should have raised {case.raises}, but {ending}"
    if end.error is not None:
        return "" if case.invented and case.arguments and _blames_arguments(end.raised) else end.error.message
    if not isinstance(end.result, dict):
        return f"it returned {kind(end.result)}; a tool returns a dict"
    return "" if case.expect is None else difference(case.expect, end.result) or ""


def _blames_arguments(raised: str) -> bool:
    """Whether an exception may come from an argument's value; some come from mistakes in the source."""
    return bool(raised) and not any(is_kind_of(raised, mistake) for mistake in _MISTAKES)


def _unheard(_progress: Progress) -> None:
    """Nobody watches a rehearsal."""
