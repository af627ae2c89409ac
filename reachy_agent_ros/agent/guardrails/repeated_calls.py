"""Notices a model that goes round in circles."""

from __future__ import annotations

import json
from collections import Counter

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class RepeatedCalls:
    """Counts the calls of one turn. How often counts, not in which order: a circle of several calls is a circle too.

    Args:
        most: Times that the same call may be made; a person may well ask for five nods.
        most_failures: Times that it may fail: it will fail again.
    """

    def __init__(self, most: int = 5, most_failures: int = 2) -> None:
        self._most = most
        self._most_failures = most_failures
        self._calls: Counter[tuple[str, str]] = Counter()
        self._failures: Counter[tuple[str, str]] = Counter()

    def begin(self, tool: str, arguments_json: str) -> None:
        """Takes a call that is about to be made.

        Raises:
            AgentError: `MODEL_MISBEHAVED`, for the turn: the call was made, or has failed, too often.
        """
        call = same_call(tool, arguments_json)
        if self._failures[call] >= self._most_failures:
            message = f"The language model calls {tool} again, which failed {self._most_failures} times."
            raise AgentError(ErrorCode.MODEL_MISBEHAVED, message)
        if self._calls[call] >= self._most:
            message = f"The language model went round in circles: it called {tool} the same way {self._most} times."
            raise AgentError(ErrorCode.MODEL_MISBEHAVED, message)
        self._calls[call] += 1

    def failed(self, tool: str, arguments_json: str) -> None:
        """Takes the failure of a call."""
        self._failures[same_call(tool, arguments_json)] += 1


def same_call(tool: str, arguments_json: str) -> tuple[str, str]:
    """The call in a form that order, spaces and the way a number is written do not change."""
    try:
        return tool, json.dumps(_plain(json.loads(arguments_json or "{}")), sort_keys=True)
    except (ValueError, RecursionError):
        return tool, arguments_json


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
