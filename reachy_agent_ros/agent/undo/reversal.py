"""Reversal: saves one kind of state before an act, and restores it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from reachy_agent_ros.agent.permissions.permissions import Call
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolSource

UNDO = "undo"
"""Name of the tool, which is also the requester of the calls that it makes."""


class Reversal(Protocol):
    """Saves one kind of state before an act, and restores it.

    Restoring a state twice must have the same effect as restoring it once.

    Attributes:
        kind: Kind of state, such as "note".
        guarded: Whether a person may have changed the state since the act, so that undoing could destroy their work.
    """

    kind: str
    guarded: bool

    def changed_by(self, call: ToolCall, tool: ToolDescription) -> str | None:
        """Returns the key of what a call changes, such as the name of a note; None if it changes no such state."""
        ...

    async def saved(self, key: str, call: ToolCall) -> str | None:
        """Returns the present state as text; None if the state cannot be restored.

        Args:
            key: Key of the state.
            call: Call that is about to change the state, or that has changed it.

        Raises:
            AgentError: The state cannot be read.
        """
        ...

    async def restore(self, key: str, saved: str, undo: ToolCall) -> str:
        """Restores a state. Returns a sentence in the robot's words that says what is restored.

        Args:
            key: Key of what is restored.
            saved: Result of `saved` before the act.
            undo: Call of the tool `undo`.

        Raises:
            AgentError: The state is not restored.
        """
        ...


class RobotCalls:
    """Calls of the robot's tools for reversals: readings without a record, and permitted and recorded acts.

    Args:
        tools: Source of the tools.
        permit: Waits until a call is permitted and the decision is on disk, or raises an error.
    """

    def __init__(self, tools: ToolSource, permit: Callable[[Call], Awaitable[object]]) -> None:
        self._tools = tools
        self._permit = permit

    async def read(self, tool: str, call: ToolCall) -> dict[str, Any]:
        """Calls a tool that changes nothing, and returns its result. Raises the error of the tool."""
        return await self._result(tool, {}, call)

    async def act(self, tool: str, arguments: dict[str, Any], call: ToolCall) -> dict[str, Any]:
        """Calls a tool if it is permitted, and returns its result. Raises the error of the permission or the tool."""
        arguments_json = json.dumps(arguments)
        asking = Call(tool, arguments_json, call.session_id, call.turn_id, UNDO, asked_by=call.asked_by)
        await self._permit(asking)
        return await self._result(tool, arguments, call)

    async def _result(self, tool: str, arguments: dict[str, Any], call: ToolCall) -> dict[str, Any]:
        outcome = await self._tools.call(
            ToolCall(tool, json.dumps(arguments), call.turn_id, call.session_id, asked_by=call.asked_by)
        )
        if outcome.error is not None:
            raise outcome.error
        result: dict[str, Any] = json.loads(outcome.result_json)
        return result
