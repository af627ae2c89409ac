"""Tool runner, which looks up tools, validates arguments, enforces permissions and time limits, and runs calls."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.call import (
    NO_APPROVAL,
    CallOutcome,
    Perform,
    RunningCall,
    ToolRequest,
    Watchdog,
    unobserved,
)
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.context import Body, Progress
from reachy_agent_ros.tools.tool import Permission, Tool, ToolSpecification

CAPACITY = 16
"""Maximum number of simultaneous calls. Calls are not queued: a queued move could start after a stop."""

Redeem = Callable[[uuid.UUID, str, str], None]
"""Consumes an approval, given its id, the tool and the JSON arguments. Raises `AgentError` if it does not apply."""


ReasonToAsk = Callable[[ToolRequest], str | None]
"""Returns why a person must approve a call, or None. Raises `AgentError` if the call is forbidden."""


def no_rules(_request: ToolRequest) -> str | None:
    """Returns None. This `ReasonToAsk` has no rules, so only the tool's specification determines the permission."""
    return None


def nobody_approves(_approval_id: uuid.UUID, tool: str, _arguments_json: str) -> None:
    """Rejects every approval. This `Redeem` is for environments in which nobody can approve calls."""
    raise AgentError(ErrorCode.APPROVAL_REQUIRED, f"{tool} needs a person's approval, which is not available here.")


class ToolRunner:
    """Runs tool calls in parallel in worker threads.

    Args:
        catalogue: Catalog of the tools.
        body: The robot.
        capacity: Maximum number of simultaneous calls; further calls are rejected.
        redeem: Consumes the approval of a call that needs one, in a worker thread, before the call runs.
        reason_to_ask: Permission rules beyond the tool's specification.
        perform: Context manager around every call that does more than measure, in its worker thread; it yields the
            style.

    Attributes:
        capacity: Maximum number of simultaneous calls.
    """

    def __init__(
        self,
        catalogue: ToolCatalogue,
        body: Body,
        capacity: int = CAPACITY,
        redeem: Redeem = nobody_approves,
        reason_to_ask: ReasonToAsk = no_rules,
        perform: Perform = unobserved,
    ) -> None:
        self._catalogue = catalogue
        self._body = body
        self.capacity = capacity
        self._redeem = redeem
        self._reason_to_ask = reason_to_ask
        self._perform = perform
        self._workers = ThreadPoolExecutor(capacity, thread_name_prefix="tool")
        self._watchdog = Watchdog()
        self._lock = threading.Lock()
        self._running: set[RunningCall] = set()

    @property
    def running(self) -> int:
        """Number of calls whose handler is running, even if the outcome has already been reported."""
        return len(self._running)

    def start(
        self,
        request: ToolRequest,
        on_done: Callable[[CallOutcome], None],
        on_progress: Callable[[Progress], None] = lambda _progress: None,
    ) -> RunningCall:
        """Starts a call and returns immediately. Reports failures and rejections as outcomes.

        Args:
            request: The request.
            on_done: Receives the outcome once, in this thread or another.
            on_progress: Receives progress, in another thread.
        """
        call = RunningCall(request, on_done, on_progress)
        try:
            tool = self._catalogue.find(request.name)
            arguments = tool.specification.parse(request.arguments_json)
            needs_approval = self._needs_approval(tool.specification, request)
            self._claim_slot(call)
        except AgentError as error:
            call.end(error)
            return call
        future = self._workers.submit(self._run, call, request, tool, arguments, needs_approval)
        future.add_done_callback(lambda done: self._settle(call, done))
        return call

    def end_all(self, error: AgentError) -> None:
        """Ends every running call with an error, and cancels its handler."""
        with self._lock:
            running = list(self._running)
        for call in running:
            call.end(error)
            call.cancel()

    def close(self) -> None:
        """Cancels all running calls and waits until they have stopped."""
        self.end_all(AgentError(ErrorCode.SHUTTING_DOWN, "The tool server is shutting down."))
        self._workers.shutdown()
        self._watchdog.close()

    def _claim_slot(self, call: RunningCall) -> None:
        with self._lock:
            if len(self._running) >= self.capacity:
                message = f"Too many tool calls: {self.capacity} are running. Wait until one of them has ended."
                raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
            self._running.add(call)

    def _needs_approval(self, specification: ToolSpecification[Any], request: ToolRequest) -> bool:
        """Returns whether a call needs an approval. Raises an error if the call is forbidden or not approved."""
        if specification.permission is Permission.FORBIDDEN:
            raise AgentError(ErrorCode.APPROVAL_DENIED, f"{specification.name} is forbidden.")
        reason = self._reason_to_ask(request)
        if reason is None and specification.permission is Permission.CONFIRM:
            reason = "the tool requires it"
        if reason is not None and request.approval_id == NO_APPROVAL:
            message = f"{specification.name} needs a person's approval: {reason}."
            hint = "Call it through the agent's action call_tool, which asks for it."
            raise AgentError(ErrorCode.APPROVAL_REQUIRED, f"{message} {hint}")
        return reason is not None

    def _run(
        self, call: RunningCall, request: ToolRequest, tool: Tool, arguments: ToolArguments, needs_approval: bool
    ) -> str:
        if needs_approval:
            # Only after a slot is free: a rejected call must not consume its approval.
            self._redeem(request.approval_id, request.name, request.arguments_json)
        return call.run(tool, arguments, self._body, self._watchdog, self._perform)

    def _settle(self, call: RunningCall, done: Future[str]) -> None:
        with self._lock:
            self._running.discard(call)
        call.settle(done)
