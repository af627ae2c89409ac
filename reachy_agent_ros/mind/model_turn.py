"""Letting the model answer: the agents run, their text streams into the reply, and every bound holds."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from agents import (
    Agent,
    AgentHookContext,
    RawResponsesStreamEvent,
    RunConfig,
    RunHooks,
    Runner,
    RunResultStreaming,
    ToolExecutionConfig,
    set_tracing_disabled,
)
from agents.items import ModelResponse, TResponseInputItem
from agents.run_context import RunContextWrapper
from openai.types.responses import ResponseTextDeltaEvent

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.events import HandedOff
from reachy_agent_ros.mind.model.errors import MODEL_EXCEPTIONS, agent_error
from reachy_agent_ros.mind.trace import Span, SpanKind
from reachy_agent_ros.mind.turn import Turn

MAX_STEPS = 12
"""Model calls in one turn."""


async def answer(
    turn: Turn, team: Agent[Any], conversation: list[TResponseInputItem], token_budget: int
) -> list[TResponseInputItem]:
    """Runs the team on a conversation; the reply goes to the turn as it comes.

    Args:
        turn: Whose reply it is.
        team: Agent to begin with.
        conversation: History and the person's new message.
        token_budget: Tokens read and written by all model calls together.

    Returns:
        The conversation with everything that was added to it.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`, `MODEL_FAILED`, `MODEL_TRUNCATED`, `MODEL_MISBEHAVED` or `BUDGET_EXCEEDED`.
    """
    set_tracing_disabled(True)  # the SDK would send its traces off this machine if it found a key
    watcher = _Watcher(turn, token_budget)
    run = Runner.run_streamed(
        team,
        conversation,
        max_turns=MAX_STEPS,
        hooks=watcher,
        run_config=RunConfig(
            tracing_disabled=True,
            tool_not_found_behavior="return_error_to_model",
            tool_execution=ToolExecutionConfig(max_function_tool_concurrency=1),  # two motions at once collide
        ),
    )
    try:
        await _stream(turn, run)
    except MODEL_EXCEPTIONS as error:
        failure = agent_error(error)
        watcher.fail(failure)
        raise failure from error
    except asyncio.CancelledError:
        watcher.fail(AgentError(ErrorCode.CANCELED, "The language model was cancelled."))
        raise
    finally:
        await _end(run)
    if not turn.result.reply.strip():
        raise AgentError(ErrorCode.MODEL_MISBEHAVED, "The language model's answer was empty.")
    return run.to_input_list()


async def _stream(turn: Turn, run: RunResultStreaming) -> None:
    async for event in run.stream_events():
        if not isinstance(event, RawResponsesStreamEvent):
            continue
        if isinstance(event.data, ResponseTextDeltaEvent):
            turn.reply(event.data.delta)
        elif event.data.type == "response.completed":
            turn.end_sentence()


async def _end(run: RunResultStreaming) -> None:
    """Makes sure that nothing of the run goes on: cancelling whoever reads a stream does not end what writes it."""
    if run.is_complete:
        return
    run.cancel()
    if run.run_loop_task is not None:
        with contextlib.suppress(*MODEL_EXCEPTIONS):
            await run.run_loop_task


class _Watcher(RunHooks[Any]):
    """Turns the SDK's hooks into spans and events, and counts tokens."""

    def __init__(self, turn: Turn, token_budget: int) -> None:
        self._turn = turn
        self._budget = token_budget
        self._span: Span | None = None

    async def on_agent_start(self, context: AgentHookContext[Any], agent: Agent[Any]) -> None:
        self._turn.result.agent = agent.name

    async def on_llm_start(
        self,
        context: RunContextWrapper[Any],
        agent: Agent[Any],
        system_prompt: str | None,
        input_items: list[TResponseInputItem],
    ) -> None:
        self._span = self._turn.trace.open(SpanKind.MODEL, agent.name)

    async def on_llm_end(self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse) -> None:
        used, result = response.usage, self._turn.result
        result.input_tokens += used.input_tokens
        result.output_tokens += used.output_tokens
        if self._span is not None:
            self._span.input_tokens, self._span.output_tokens = used.input_tokens, used.output_tokens
            self._close()
        spent = result.input_tokens + result.output_tokens
        if spent > self._budget:
            message = f"The turn used {spent} tokens of the {self._budget} it may use."
            raise AgentError(ErrorCode.BUDGET_EXCEEDED, message)

    async def on_handoff(self, context: RunContextWrapper[Any], from_agent: Agent[Any], to_agent: Agent[Any]) -> None:
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
