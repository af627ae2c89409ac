"""Tool calls, each with exactly one outcome, and the watchdog that enforces time limits of calls."""

from __future__ import annotations

import heapq
import itertools
import json
import logging
import math
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.body import MotionResult
from reachy_agent_ros.tools.context import NO_TURN, Body, Progress, ToolContext
from reachy_agent_ros.tools.execution_style import UNTAUGHT, ExecutionStyle
from reachy_agent_ros.tools.tool import Tool

_log = logging.getLogger(__name__)

NO_APPROVAL = uuid.UUID(int=0)


@dataclass(frozen=True)
class ToolRequest:
    """Request to run a tool.

    Attributes:
        name: Name of the tool.
        arguments_json: JSON object; empty means no arguments.
        time_allowance: Time limit that the caller requests, s; 0 for the tool's own limit, which is never exceeded.
        turn_id: Turn of conversation that the call belongs to.
        approval_id: A person's approval of exactly this call, if it needs one.
        caller: Name that the caller gives itself; empty if none.
        asked_by: Token of the original request, as the caller states it; empty if none.
    """

    name: str
    arguments_json: str = ""
    time_allowance: float = 0.0
    turn_id: uuid.UUID = NO_TURN
    approval_id: uuid.UUID = NO_APPROVAL
    caller: str = ""
    asked_by: str = ""


Perform = Callable[[ToolRequest], AbstractContextManager[ExecutionStyle]]
"""Context manager around every call that does more than measure. Runs in the call's thread; yields the call's style."""


def unobserved(_request: ToolRequest) -> AbstractContextManager[ExecutionStyle]:
    """Returns a context manager that yields the default style. Implements `Perform` without corrections."""
    return nullcontext(UNTAUGHT)


@dataclass(frozen=True)
class CallOutcome:
    """Outcome of a call.

    Attributes:
        result_json: JSON object, "{}" after an error.
        error: Reason for the failure; None if the call succeeded.
        elapsed: Duration, s.
        motion: Result of the call's last motion; None if it did not move the robot.
    """

    result_json: str
    error: AgentError | None
    elapsed: float
    motion: MotionResult | None


class RunningCall:
    """Tool call in progress. The call ends exactly once: when its handler ends, at its time limit, or by `end`.

    Args:
        request: Request of the call.
        on_done: Receives the outcome once, in the thread that ended the call.
        on_progress: Receives progress until then.
    """

    def __init__(
        self,
        request: ToolRequest,
        on_done: Callable[[CallOutcome], None],
        on_progress: Callable[[Progress], None],
    ) -> None:
        self._request = request
        self._on_done = on_done
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._ended = False
        self._start = time.monotonic()
        self._cancel = CancelToken()
        self._context: ToolContext | None = None

    def run(self, tool: Tool, arguments: ToolArguments, body: Body, watchdog: Watchdog, perform: Perform) -> str:
        """Runs the handler in this thread and returns its result as JSON. `settle` handles its exceptions."""
        self._cancel.raise_if_cancelled()
        limit = min(tool.specification.time_limit, self._request.time_allowance or math.inf)
        watchdog.watch(limit, lambda: self._time_out(limit))
        surround = unobserved if tool.specification.only_measures else perform
        with surround(self._request) as manner:
            self._context = ToolContext(
                body,
                Deadline(limit),
                self._report,
                self._cancel,
                self._request.turn_id,
                manner,
                self._request.asked_by,
            )
            return json.dumps(tool.handler(arguments, self._context), allow_nan=False)

    def settle(self, running: Future[str]) -> None:
        """Ends the call with the result or exception of `run`."""
        error = running.exception()
        if error is None:
            self.end(None, running.result())
        elif isinstance(error, AgentError):
            self.end(error)
        else:
            _log.error("%s failed", self._request.name, exc_info=error)
            self.end(AgentError(ErrorCode.TOOL_FAILED, f"{self._request.name} failed: {error!r}"))

    def cancel(self) -> None:
        """Asks the handler to stop, even if the call has already ended. Does not itself end the call."""
        self._cancel.cancel()

    def end(self, error: AgentError | None, result_json: str = "{}") -> None:
        """Ends the call with a result or an error. Has no effect if the call has already ended."""
        with self._lock:
            if self._ended:
                return
            self._ended = True
        motion = self._context.motion if self._context else None
        self._context = None  # it refers to this call
        self._on_done(CallOutcome(result_json, error, time.monotonic() - self._start, motion))

    def _time_out(self, limit: float) -> None:
        self.end(AgentError(ErrorCode.TIMEOUT, f"{self._request.name} did not finish within {limit:g} s."))
        self.cancel()

    def _report(self, progress: Progress) -> None:
        with self._lock:
            if not self._ended:
                self._on_progress(progress)


class Watchdog:
    """Runs callbacks after time limits. Uses one thread for all calls, because starting threads takes milliseconds."""

    def __init__(self) -> None:
        self._limits: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
        self._thread.start()

    def watch(self, seconds: float, callback: Callable[[], None]) -> None:
        """Runs `callback` after `seconds`, even if the call has ended in the meantime."""
        limit = (time.monotonic() + seconds, next(self._order), callback)
        with self._changed:
            heapq.heappush(self._limits, limit)
            if self._limits[0] is limit:
                self._changed.notify()

    def close(self) -> None:
        """Stops the thread without running the remaining callbacks."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while (callback := self._next()) is not None:
            callback()

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            while not self._closed:
                left = self._limits[0][0] - time.monotonic() if self._limits else None
                if left is not None and left <= 0.0:
                    return heapq.heappop(self._limits)[2]
                self._changed.wait(left)
        return None
