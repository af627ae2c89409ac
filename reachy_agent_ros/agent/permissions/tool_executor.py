"""The one way to a tool, for whoever calls it: what is not permitted does not reach it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from reachy_agent_ros.agent.permissions.enforcement import Enforcement
from reachy_agent_ros.agent.permissions.pending_approval import question
from reachy_agent_ros.agent.permissions.permissions import STOP, Call, PermissionVerdict
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.protocol.tools import Report, ToolCall, ToolDescription, ToolOutcome, ToolSource


class ToolExecutor:
    """Permits and makes calls. Use it from the mind's event loop.

    Args:
        tools: All there are.
        enforcement: Permits, and writes down what it decides.
        question: How a person is asked about a call, given tool, arguments, conversation, and why where
            they are to hear it.
        allows: Whether the robot, as who it is now, uses a tool.
        called: Awaited with the conversation, the tool and whether it worked, after every call.

    Attributes:
        enforcement: As given.
        question: As given.
        allows: As given.
    """

    def __init__(
        self,
        tools: ToolSource,
        enforcement: Enforcement,
        question: Callable[[str, str, str, str], str] = lambda tool, arguments_json, _session_id, why: question(
            tool, arguments_json, why
        ),
        allows: Callable[[str], bool] = lambda _tool: True,
        called: Callable[[str, str, bool], Awaitable[None]] | None = None,
    ) -> None:
        self._tools = tools
        self.enforcement = enforcement
        self.question = question
        self.allows = allows
        self._called = called

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now: the same object until something changes."""
        return self._tools.catalogue()

    def described(self, name: str) -> ToolDescription | None:
        """What the catalogue says of a tool, None where there is no such tool."""
        return next((tool for tool in self.catalogue() if tool.name == name), None)

    async def call(
        self,
        call: Call,
        tell: Callable[[PermissionVerdict], None] = lambda _verdict: None,
        report: Report | None = None,
    ) -> ToolOutcome:
        """Makes a call if it may be made; every failure is an outcome, and cancelling it cancels what it started.

        A call of `stop` also withdraws every call that waits for a person.

        Args:
            call: What to call.
            tell: Takes the verdict before anything is done.
            report: Takes how far it is, in any thread.
        """
        try:
            approval_id = await self.enforcement.permit(call, tell)
        except AgentError as error:
            return ToolOutcome("{}", error)
        if call.tool == STOP:
            self.enforcement.withdraw_all()
        outcome = await self._tools.call(
            ToolCall(
                call.tool,
                call.arguments_json,
                call.turn_id,
                call.session_id,
                approval_id,
                call.asked_by,
                report,
                origin=call.kept_origin,
            )
        )
        if self._called is not None:
            await self._called(call.session_id, call.tool, outcome.error is None)
        return outcome
