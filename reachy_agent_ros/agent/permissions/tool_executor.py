"""Execution of tool calls after a permission check."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from reachy_agent_ros.agent.permissions.enforcement import Enforcement
from reachy_agent_ros.agent.permissions.pending_approval import question
from reachy_agent_ros.agent.permissions.permissions import STOP, Call, PermissionVerdict
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.protocol.tools import Report, ToolCall, ToolDescription, ToolOutcome, ToolSource


class ToolExecutor:
    """Executes the tool calls of all callers after a permission check. Use it from the agent's event loop.

    Args:
        tools: Source of the tools.
        enforcement: Permits or rejects calls, and logs its decisions.
        question: Returns the question to a person about a call, given the tool, the arguments, the conversation and
            the reason, which is empty if the person does not need to hear it.
        allows: Returns whether the current persona uses a tool.
        called: Awaited after every permitted call, with the conversation, the tool and whether the call succeeded.
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
        """Returns the tools that can be called now. The object stays the same until the tools change."""
        return self._tools.catalogue()

    def described(self, name: str) -> ToolDescription | None:
        """Returns the description of a tool, or None if the catalogue does not contain it."""
        return next((tool for tool in self.catalogue() if tool.name == name), None)

    async def call(
        self,
        call: Call,
        tell: Callable[[PermissionVerdict], None] = lambda _verdict: None,
        report: Report | None = None,
    ) -> ToolOutcome:
        """Calls a tool if the call is permitted. Returns errors in the outcome. Cancelling also cancels the tool.

        A call to `stop` also withdraws all pending questions to a person.

        Args:
            call: Call to make.
            tell: Called with the verdict before the call is made.
            report: Called with the progress of the call, in any thread.
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
                language=call.language,
            )
        )
        if self._called is not None:
            await self._called(call.session_id, call.tool, outcome.error is None)
        return outcome
