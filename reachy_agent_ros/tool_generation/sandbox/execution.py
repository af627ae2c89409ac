"""One job in one box: dispatch, calls, the end, and the host's clock over all of it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.guest.wire import WireError
from reachy_agent_ros.tool_generation.job import LONGEST_TIME, Answer, Clock, Job, RunEnd
from reachy_agent_ros.tool_generation.sandbox.box import SandboxProcess

LONGEST_LOG = 8192
"""Characters of what the tool printed that are kept."""

LONGEST_NAME = 100
"""Characters of an exception's type."""

MOST_FILES = 2000
"""That a run may have; the size of its scratch folder bounds what is in them, and not their number."""

_FILES_PERIOD = 0.25
"""s between two looks at that number: a box makes some ten thousand meanwhile, ten megabytes."""

END_TIME = 1.0
"""s that a box may take to close its pipe after its last frame."""


def execute(box: SandboxProcess, job: Job, answer: Answer, cancel: CancelToken) -> RunEnd:
    """Runs `job` in a box that is ready, and believes nothing of what it says but its form.

    Calls are answered in the calling thread. An answer under way is waited for even when the time is up or the run is
    cancelled, so it has to watch the same token; the box can do nothing meanwhile.

    Args:
        box: Dead or dying afterwards.
        job: What it is to run.
        answer: Answers its calls.
        cancel: Kills the box.
    """
    start = time.monotonic()
    cancel.on_cancel(box.kill)
    execution = _Execution(box, job, answer, start)
    try:
        end = execution.run()
    except TimeoutError:
        end = _failed(f"It was stopped: it may take {job.limits.time:g} s.", ErrorCode.TIMEOUT)
    except (WireError, BrokenPipeError) as error:
        end = _failed(f"It broke off: {error}.")
    if cancel.cancelled and end.error is not None:
        end = _failed("Cancelled.", ErrorCode.CANCELED)
    return replace(end, elapsed=time.monotonic() - start)


class _Execution:
    def __init__(self, box: SandboxProcess, job: Job, answer: Answer, start: float) -> None:
        self._box = box
        self._channel = box.channel
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
            return _failed(f"The arguments are unsuitable: {error}.", ErrorCode.INVALID_ARGUMENTS)
        while message := self._receive():
            if "call" not in message:
                return self._end(message)
            self._reply(message)
        return _failed("It ended without a result.")

    def _receive(self) -> dict[str, Any] | None:
        while True:
            try:
                return self._channel.receive(min(self._deadline, self._next_look))
            except TimeoutError:
                if time.monotonic() >= self._deadline:
                    raise
            if self._box.files() > MOST_FILES:
                raise WireError(f"it made more than {MOST_FILES} files")
            self._next_look = time.monotonic() + _FILES_PERIOD

    def _reply(self, message: dict[str, Any]) -> None:
        match message:
            case {"call": str(verb), "arguments": dict(arguments)} if len(message) == 2:
                reply = self._answered(verb, arguments)
            case _:
                raise WireError("a call was malformed")
        try:
            self._channel.send(reply, self._deadline)
        except WireError as error:
            self._channel.send(_refusal(ErrorCode.INTERNAL, f"The answer {error}"), self._deadline)

    def _answered(self, verb: str, arguments: dict[str, Any]) -> dict[str, Any]:
        start = time.monotonic()
        try:
            return {"value": self._answer(verb, arguments)}
        except AgentError as error:
            return _refusal(error.code, error.message)
        finally:
            if self._job.clock is Clock.VIRTUAL:
                # A rehearsal's motion takes the host's time, not the tool's.
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
                raise WireError("its last frame was malformed")
        try:
            trailing = self._channel.receive(time.monotonic() + END_TIME)
        except TimeoutError:
            raise WireError("it did not end after its last frame") from None
        if trailing is not None:
            raise WireError("a frame came after its last one")
        return end


def _failed(message: str, code: ErrorCode = ErrorCode.TOOL_FAILED) -> RunEnd:
    return RunEnd(error=AgentError(code, message))


def _refusal(code: ErrorCode, message: str) -> dict[str, Any]:
    return {"error": {"code": code.name, "message": message}}
