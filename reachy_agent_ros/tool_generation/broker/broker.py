"""Broker: checks, carries out and records the requests of a sandboxed tool."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.run import CALLS, Equipment, Run, RunRecord
from reachy_agent_ros.tool_generation.broker.session import BrokerSession
from reachy_agent_ros.tool_generation.broker.verbs import VERBS
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tools.context import Body, ToolContext


class Broker:
    """Handles the requests of one run of a tool. The requests are the same for a real and a simulated robot.

    A tool has only the capabilities that were derived from its source and reviewed, whatever code runs in the sandbox.
    A request that needs another capability ends the run.

    Args:
        body: Robot that carries out the commands.
        context: Context of the call. Its deadline and cancel token apply to every request.
        equipment: Resources beyond the body.
        needs: Capabilities of the tool. Without `BODY`, `EYES` and `VOICE`, the run has no reference to the robot.

    Attributes:
        cancel: Token for the sandbox: canceled with the context's token, by `close`, and when the broker ends the run.
    """

    def __init__(self, body: Body, context: ToolContext, equipment: Equipment, needs: Iterable[Need]) -> None:
        self.cancel = CancelToken()
        context.cancel.on_cancel(self.cancel.cancel)
        self._needs = frozenset(needs)
        held = replace(context, body=body, cancel=self.cancel) if self._needs - {Need.WEB} else None
        self._run = Run(held, self.cancel, equipment)
        self._lease = BrokerSession(self._run)
        self._answering = threading.Lock()
        self._closed = False

    @property
    def record(self) -> RunRecord:
        """Commands and violations of the run up to now."""
        return self._run.record

    @property
    def ended(self) -> AgentError | None:
        """Reason why the broker ended the run, or None.

        Possible reasons are a missing capability, too many rejected requests, and a dry run that took too long.
        """
        return self._run.ended

    def answer(self, verb: str, arguments: Mapping[str, Any]) -> Any:
        """Carries out a request of the tool and returns a JSON value.

        Thread-safe. Requests are carried out one at a time.

        Raises:
            AgentError: The request was rejected or failed; `NOT_REVIEWED`: the tool lacks a capability, and the run has
                ended; `CANCELED`: the run has ended.
        """
        with self._answering:
            self._require_open()
            self._run.verb = verb if verb in VERBS else "unknown"
            self._run.spend("calls", CALLS)
            if verb not in VERBS:
                raise self._run.refused(ErrorCode.INVALID_ARGUMENTS, f"unknown request {verb!r:.40}")
            self._require_capability(verb)
            value = VERBS[verb].answer(arguments, self._run, self._lease)
            self._run.require_time()
            return value

    def close(self) -> None:
        """Ends the run: rejects all further requests, and stops a robot that is still moving.

        Thread-safe and idempotent. Cancels a request in progress and waits for it.

        Raises:
            AgentError: The robot did not accept the request to hold.
        """
        self._closed = True
        self.cancel.cancel()
        with self._answering:
            self._lease.release()

    def _require_capability(self, verb: str) -> None:
        need = VERBS[verb].need
        if need is None or need in self._needs:
            return
        has = ", ".join(sorted(self._needs)) or "nothing"
        message = f"The tool requested {verb}, which needs {need}. Its reviewed source needs {has}."
        self._run.note(message)
        raise self._run.end(ErrorCode.NOT_REVIEWED, message)

    def _require_open(self) -> None:
        if self._run.ended is not None:
            raise self._run.ended
        if self._closed or self.cancel.cancelled:
            raise AgentError(ErrorCode.CANCELED, "the run has ended")
