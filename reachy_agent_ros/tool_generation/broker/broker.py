"""Answers what a tool in the box asks: checks it, does it, records it."""

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
    """Serves one run. The tool cannot tell whether the robot behind it is real.

    A tool gets what was read in its source and reviewed, and nothing else, whatever runs in the sandbox: a call that
    needs another capability ends the run.

    Args:
        body: The robot.
        context: Of the call that the run belongs to: its deadline and cancel hold for everything the tool asks.
        equipment: What it reaches beyond the body.
        needs: Capabilities that the tool has. Without `BODY`, `EYES` and `VOICE` the run does not hold `body` at all.

    Attributes:
        cancel: To be handed to the sandbox: set with the context's own, by `close`, and when the broker ends the run.
    """

    def __init__(self, body: Body, context: ToolContext, equipment: Equipment, needs: Iterable[Need]) -> None:
        self.cancel = CancelToken()
        context.cancel.on_cancel(self.cancel.cancel)
        self._needs = frozenset(needs)
        held = body if self._needs - {Need.WEB} else None
        self._run = Run(held, replace(context, body=body, cancel=self.cancel), equipment)
        self._lease = BrokerSession(self._run)
        self._answering = threading.Lock()
        self._closed = False

    @property
    def record(self) -> RunRecord:
        """What the run did so far."""
        return self._run.record

    @property
    def ended(self) -> AgentError | None:
        """Why the broker ended the run: a call beyond its needs, a flood, no time left in a rehearsal; else None."""
        return self._run.ended

    def answer(self, verb: str, arguments: Mapping[str, Any]) -> Any:
        """Answers a call of the tool with a JSON value. Any thread may call it; the calls take turns.

        Raises:
            AgentError: It was refused or failed; `NOT_REVIEWED`: it needs a capability that the tool does not have,
                and the run has ended; `CANCELED` after the end of the run.
        """
        with self._answering:
            self._require_open()
            self._run.verb = verb if verb in VERBS else "unknown"
            self._run.spend("calls", CALLS)
            if verb not in VERBS:
                raise self._run.refused(ErrorCode.INVALID_ARGUMENTS, f"there is no verb {verb!r:.40}")
            self._require_capability(verb)
            value = VERBS[verb].answer(arguments, self._run, self._lease)
            self._run.require_time()
            return value

    def close(self) -> None:
        """Ends the run: no verb is answered any more, and a robot that it left moving holds its pose.

        Any thread may call it, more than once; a verb under way is cancelled and waited for.

        Raises:
            AgentError: The robot could not be told to hold.
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
        message = f"The tool asked for {verb}, which needs {need}. By its source, which was reviewed, it needs {has}."
        self._run.note(message)
        raise self._run.end(ErrorCode.NOT_REVIEWED, message)

    def _require_open(self) -> None:
        if self._run.ended is not None:
            raise self._run.ended
        if self._closed or self.cancel.cancelled:
            raise AgentError(ErrorCode.CANCELED, "the run has ended")
