"""One call of a tool, from its start to its one outcome, and the time limits of any number of calls."""

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
    """What a caller asks for.

    Attributes:
        name: Tool.
        arguments_json: JSON object; empty means no arguments.
        time_allowance: s; 0 is the tool's own limit, which is never exceeded.
        turn_id: Turn of conversation it belongs to.
        approval_id: A person's approval of this very call, where it needs one.
        caller: Who asks, as the caller says; empty if it does not say.
        asked_by: Token that the call was asked for with, as the caller says; empty if none.
    """

    name: str
    arguments_json: str = ""
    time_allowance: float = 0.0
    turn_id: uuid.UUID = NO_TURN
    approval_id: uuid.UUID = NO_APPROVAL
    caller: str = ""
    asked_by: str = ""


Perform = Callable[[ToolRequest], AbstractContextManager[ExecutionStyle]]
"""Surrounds the work of every call that does more than measure, in its thread, and gives its manner."""


def unobserved(_request: ToolRequest) -> AbstractContextManager[ExecutionStyle]:
    """A `Perform` of a robot that nobody corrects."""
    return nullcontext(UNTAUGHT)


@dataclass(frozen=True)
class CallOutcome:
    """How a call ended.

    Attributes:
        result_json: JSON object, "{}" after an error.
        error: What went wrong, None if nothing did.
        elapsed: s.
        motion: How the call's last motion ended, None if it moved nothing.
    """

    result_json: str
    error: AgentError | None
    elapsed: float
    motion: MotionResult | None


class RunningCall:
    """Ends exactly once: by its handler, or by its time limit if the handler does not obey it.

    Args:
        request: What was asked.
        on_done: Takes the outcome, once, in whichever thread ended it.
        on_progress: Takes progress until then.
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
        """Runs the handler in this thread; returns its result as JSON. What it raises passes through to `settle`."""
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
        """Ends the call with what came of `run`."""
        error = running.exception()
        if error is None:
            self.end(None, running.result())
        elif isinstance(error, AgentError):
            self.end(error)
        else:
            _log.error("%s failed", self._request.name, exc_info=error)
            self.end(AgentError(ErrorCode.TOOL_FAILED, f"{self._request.name} failed: {error!r}"))

    def cancel(self) -> None:
        """Asks the handler to stop; without effect on a call that has ended."""
        self._cancel.cancel()

    def end(self, error: AgentError | None, result_json: str = "{}") -> None:
        """Ends the call; only the first end counts."""
        with self._lock:
            if self._ended:
                return
            self._ended = True
        motion = self._context.motion if self._context else None
        self._context = None  # which refers to this call
        self._on_done(CallOutcome(result_json, error, time.monotonic() - self._start, motion))

    def _time_out(self, limit: float) -> None:
        self.end(AgentError(ErrorCode.TIMEOUT, f"{self._request.name} did not end within {limit:g} s."))
        self.cancel()

    def _report(self, progress: Progress) -> None:
        with self._lock:
            if not self._ended:
                self._on_progress(progress)


class Watchdog:
    """Calls back when time is up. A thread for each limit would cost a call some milliseconds to start."""

    def __init__(self) -> None:
        self._limits: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
        self._thread.start()

    def watch(self, seconds: float, callback: Callable[[], None]) -> None:
        """Calls `callback` in `seconds`, also if what it limits has ended by then."""
        limit = (time.monotonic() + seconds, next(self._order), callback)
        with self._changed:
            heapq.heappush(self._limits, limit)
            if self._limits[0] is limit:
                self._changed.notify()

    def close(self) -> None:
        """Calls nobody back any more."""
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
