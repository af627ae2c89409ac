"""Runs tools: finds, validates, asks permission, limits the time, and always ends in an outcome."""

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
"""Calls that run at once. Nothing is queued: a move that waited could begin after the robot was told to stop."""

Redeem = Callable[[uuid.UUID, str, str], None]
"""Uses up an approval: its id, the tool, and its arguments as JSON. Raises `AgentError` where it is none for them."""


ReasonToAsk = Callable[[ToolRequest], str | None]
"""Why a person must approve a call, None if nobody must. Raises `AgentError` where the call is forbidden."""


def no_rules(_request: ToolRequest) -> str | None:
    """A `ReasonToAsk` without rules: only what a tool's specification says counts."""
    return None


def nobody_approves(_approval_id: uuid.UUID, tool: str, _arguments_json: str) -> None:
    """A `Redeem` that knows of no approval."""
    raise AgentError(ErrorCode.APPROVAL_REQUIRED, f"{tool} needs a person's approval, and none can be given here.")


class ToolRunner:
    """Runs calls side by side in worker threads.

    Args:
        catalogue: Where tools are found.
        body: The robot they act on.
        capacity: Calls that run at once; one more is refused.
        redeem: Called in a worker thread before a call runs that needs a person's approval.
        reason_to_ask: Judges every call by rules, beyond what the tool's specification says.
        perform: Surrounds the work of every call that does more than measure, in its worker thread, and gives its
            manner.

    Attributes:
        capacity: The same.
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
        """Calls that run now, those included that ended for their caller but have not stopped working."""
        return len(self._running)

    def start(
        self,
        request: ToolRequest,
        on_done: Callable[[CallOutcome], None],
        on_progress: Callable[[Progress], None] = lambda _progress: None,
    ) -> RunningCall:
        """Starts a call and returns at once; every failure, a refusal too, is an outcome.

        Args:
            request: What to run.
            on_done: Takes the outcome, once, in this thread or another.
            on_progress: Takes progress, in another thread.
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
        """Ends every call that runs for its caller, and cancels its work."""
        with self._lock:
            running = list(self._running)
        for call in running:
            call.end(error)
            call.cancel()

    def close(self) -> None:
        """Cancels what is running and waits until it has stopped."""
        self.end_all(AgentError(ErrorCode.SHUTTING_DOWN, "The tool server is shutting down."))
        self._workers.shutdown()
        self._watchdog.close()

    def _claim_slot(self, call: RunningCall) -> None:
        with self._lock:
            if len(self._running) >= self.capacity:
                message = f"{self.capacity} tool calls are running already; wait until one of them has ended."
                raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
            self._running.add(call)

    def _needs_approval(self, specification: ToolSpecification[Any], request: ToolRequest) -> bool:
        """Whether an approval is to be redeemed before the call runs; raises where it may not run at all."""
        if specification.permission is Permission.FORBIDDEN:
            raise AgentError(ErrorCode.APPROVAL_DENIED, f"{specification.name} is forbidden.")
        reason = self._reason_to_ask(request)
        if reason is None and specification.permission is Permission.CONFIRM:
            reason = "the tool itself asks for it"
        if reason is not None and request.approval_id == NO_APPROVAL:
            message = f"{specification.name} needs a person's approval: {reason}. Call it through the agent, which asks"
            raise AgentError(ErrorCode.APPROVAL_REQUIRED, f"{message}: the action call_tool.")
        return reason is not None

    def _run(
        self, call: RunningCall, request: ToolRequest, tool: Tool, arguments: ToolArguments, needs_approval: bool
    ) -> str:
        if needs_approval:
            # Not before there is room for the call: one that was refused has used up no approval.
            self._redeem(request.approval_id, request.name, request.arguments_json)
        return call.run(tool, arguments, self._body, self._watchdog, self._perform)

    def _settle(self, call: RunningCall, done: Future[str]) -> None:
        with self._lock:
            self._running.discard(call)
        call.settle(done)
