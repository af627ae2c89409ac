"""Connection between the guest libraries of generated tools and their host, in one process without a sandbox."""

from __future__ import annotations

import io
import json
from typing import Any

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tool_generation.guest.host import HostError, Link
from reachy_agent_ros.tool_generation.job import Answer


class DirectLink(Link):
    """Link that passes calls to an `Answer` function, with JSON encoding in both directions.

    Args:
        answer: Function that handles the calls.
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
