"""Execution of one job in a sandbox process: start, requests and outcome, on the clock of the host."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.guest.wire import WireError
from reachy_agent_ros.tool_generation.job import LONGEST_TIME, Answer, Clock, Job, RunEnd
from reachy_agent_ros.tool_generation.sandbox.backend import processor_time
from reachy_agent_ros.tool_generation.sandbox.process import SandboxProcess

LONGEST_LOG = 8192
"""Maximum number of characters of kept output."""

LONGEST_NAME = 100
"""Maximum number of characters in the name of an exception type."""

MOST_FILES = 2000
"""Maximum number of files in a run. The size of the scratch folder limits their content, not their number."""

_FILES_PERIOD = 0.25
"""Time between two counts of the files, s. In that time, a process creates about ten thousand (ten megabytes)."""

END_TIME = 1.0
"""Time that a process may take to close its pipe after its last frame, s."""


def execute(process: SandboxProcess, job: Job, answer: Answer, cancel: CancelToken) -> RunEnd:
    """Runs `job` in a process that is ready.

    The output of the process is not trusted. Only its form is checked.

    Requests are answered in the calling thread. A response in progress is awaited even when the time is up or the run
    is canceled, so it must watch the same token. The process can do nothing in the meantime.

    Args:
        process: Process that runs the job. It may still run afterwards, so the caller must kill it.
        job: Job to run.
        answer: Handler of the requests of the process.
        cancel: Token that kills the process.
    """
    start = time.monotonic()
    cancel.on_cancel(process.kill)
    execution = _Execution(process, job, answer, start)
    try:
        end = execution.run()
    except TimeoutError:
        end = _failed(f"Stopped after its time limit of {job.limits.time:g} s.", ErrorCode.TIMEOUT)
    except (WireError, BrokenPipeError) as error:
        end = _failed(f"It failed: {error}.")
    if cancel.cancelled and end.error is not None:
        end = _failed("Canceled.", ErrorCode.CANCELED)
    return replace(end, elapsed=time.monotonic() - start)


class _Execution:
    def __init__(self, process: SandboxProcess, job: Job, answer: Answer, start: float) -> None:
        self._process = process
        self._channel = process.channel
        self._next_look = start + _FILES_PERIOD
        self._job = job
        self._answer = answer
        self._deadline = start + job.limits.time
        self._latest = start + LONGEST_TIME

    def run(self) -> RunEnd:
        job = self._job
        task = {"source": job.source, "function": job.function, "arguments": dict(job.arguments)}
        try:
            self._channel.send(task, self._deadline)
        except WireError as error:
            return _failed(f"Invalid arguments: {error}.", ErrorCode.INVALID_ARGUMENTS)
        while message := self._receive():
            if "call" not in message:
                return self._end(message)
            self._reply(message)
        if self._process.exceeded_processor_time():
            seconds = processor_time(job.limits)
            reason = f"Stopped after its limit of {seconds} s of processor time, to which all its threads count."
            return _failed(reason, ErrorCode.TIMEOUT)
        return _failed("It ended without a result.")

    def _receive(self) -> dict[str, Any] | None:
        while True:
            try:
                return self._channel.receive(min(self._deadline, self._next_look))
            except TimeoutError:
                if time.monotonic() >= self._deadline:
                    raise
            if self._process.files() > MOST_FILES:
                raise WireError(f"it created more than {MOST_FILES} files")
            self._next_look = time.monotonic() + _FILES_PERIOD

    def _reply(self, message: dict[str, Any]) -> None:
        match message:
            case {"call": str(verb), "arguments": dict(arguments)} if len(message) == 2:
                reply = self._answered(verb, arguments)
            case _:
                raise WireError("malformed request")
        try:
            self._channel.send(reply, self._deadline)
        except WireError as error:
            self._channel.send(_refusal(ErrorCode.INTERNAL, f"Invalid answer: {error}"), self._deadline)

    def _answered(self, verb: str, arguments: dict[str, Any]) -> dict[str, Any]:
        start = time.monotonic()
        try:
            return {"value": self._answer(verb, arguments)}
        except AgentError as error:
            return _refusal(error.code, error.message)
        finally:
            if self._job.clock is Clock.VIRTUAL:
                # A simulated motion takes time on the host, not time of the tool.
                self._deadline = min(self._deadline + time.monotonic() - start, self._latest)

    def _end(self, message: dict[str, Any]) -> RunEnd:
        match message:
            case {"result": result, "log": str(log)} if len(message) == 2:
                end = RunEnd(result, log=log[:LONGEST_LOG])
            case {"failed": {"type": str(kind), "message": str(text), "line": int(line)}, "log": str(log)}:
                where = f" on line {line}" if line else ""
                error = AgentError(ErrorCode.TOOL_FAILED, f"{kind[:LONGEST_NAME]}{where}: {text[:LONGEST_LOG]}")
                end = RunEnd(error=error, raised=kind[:LONGEST_NAME], log=log[:LONGEST_LOG])
            case _:
                raise WireError("malformed last frame")
        try:
            trailing = self._channel.receive(time.monotonic() + END_TIME)
        except TimeoutError:
            raise WireError("it did not end after its last frame") from None
        if trailing is not None:
            raise WireError("unexpected frame after the last one")
        return end


def _failed(message: str, code: ErrorCode = ErrorCode.TOOL_FAILED) -> RunEnd:
    return RunEnd(error=AgentError(code, message))


def _refusal(code: ErrorCode, message: str) -> dict[str, Any]:
    return {"error": {"code": code.name, "message": message}}
