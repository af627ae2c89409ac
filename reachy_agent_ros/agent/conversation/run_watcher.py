"""What the Agents SDK tells of a run, as spans, events and tokens of the turn."""

from __future__ import annotations

from typing import Any

from agents import Agent, AgentHookContext, RunHooks
from agents.items import ModelResponse, TResponseInputItem
from agents.run_context import RunContextWrapper

from reachy_agent_ros.agent.conversation.events import AgentStarted, HandedOff
from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.core.errors import AgentError


class RunWatcher(RunHooks[Any]):
    """Watches the runs of one turn.

    Args:
        turn: Whose.
    """

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._span: Span | None = None

    async def on_agent_start(self, context: AgentHookContext[Any], agent: Agent[Any]) -> None:
        """Another agent works."""
        self._turn.result.agent = agent.name
        self._turn.observe(AgentStarted(agent.name))

    async def on_llm_start(
        self,
        context: RunContextWrapper[Any],
        agent: Agent[Any],
        system_prompt: str | None,
        input_items: list[TResponseInputItem],
    ) -> None:
        """A model is asked."""
        self._span = self._turn.trace.open(SpanKind.MODEL, agent.name)

    async def on_llm_end(self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse) -> None:
        """It has answered."""
        used, result = response.usage, self._turn.result
        result.input_tokens += used.input_tokens
        result.output_tokens += used.output_tokens
        if self._span is not None:
            self._span.input_tokens, self._span.output_tokens = used.input_tokens, used.output_tokens
            self._close()

    async def on_handoff(self, context: RunContextWrapper[Any], from_agent: Agent[Any], to_agent: Agent[Any]) -> None:
        """An agent hands over."""
        with self._turn.trace.span(SpanKind.HANDOFF, to_agent.name) as span:
            span.summary = f"{from_agent.name} hands over to {to_agent.name}"
        self._turn.observe(HandedOff(to_agent.name))

    def fail(self, error: AgentError) -> None:
        """Notes the error in the model call that is open."""
        if self._span is not None:
            self._span.error = error
            self._close()

    def _close(self) -> None:
        if self._span is not None:
            self._turn.trace.close(self._span)
            self._span = None
