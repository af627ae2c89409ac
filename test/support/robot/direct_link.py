"""Link of a sandboxed tool to its host without a sandbox: the shims in this process, over a broker."""

from __future__ import annotations

import io
import json
from typing import Any

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tool_generation.guest.host import HostError, Link
from reachy_agent_ros.tool_generation.job import Answer


class DirectLink(Link):
    """Passes calls to an `Answer`, as JSON in both directions.

    Args:
        answer: Function that answers the calls.
    """

    def __init__(self, answer: Answer) -> None:
        super().__init__(io.BytesIO(), io.BytesIO())
        self._answer = answer

    def ask(self, verb: str, **arguments: Any) -> Any:
        self.calls += 1
        try:
            value = self._answer(verb, json.loads(json.dumps(arguments)))
        except AgentError as error:
            raise HostError(error.code.name, error.message) from None
        return json.loads(json.dumps(value, allow_nan=False))
