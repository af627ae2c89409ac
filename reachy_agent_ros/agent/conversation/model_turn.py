"""Runs the agents of one turn and streams their text into the reply."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from agents import (
    Agent,
    AgentHookContext,
    RawResponsesStreamEvent,
    RunConfig,
    RunHooks,
    Runner,
    RunResultStreaming,
    RunState,
    ToolExecutionConfig,
    set_tracing_disabled,
)
from agents.exceptions import UserError
from agents.items import ModelResponse, TResponseInputItem
from agents.run_context import RunContextWrapper
from openai.types.responses import ResponseTextDeltaEvent

from reachy_agent_ros.agent.conversation.function_tools import Approved
from reachy_agent_ros.agent.conversation.turn import AgentStarted, HandedOff, Turn
from reachy_agent_ros.agent.conversation.turn_tools import TurnTools
from reachy_agent_ros.agent.guardrails.runaway_text import LEAST_SENTENCE, RepeatedSentences, RunawayError
from reachy_agent_ros.agent.model.errors import MODEL_EXCEPTIONS, agent_error
from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

MAX_STEPS = 12
"""Maximum number of model calls in one run. A turn that resumes after an approval question continues the count."""

_CONFIG = RunConfig(
    tracing_disabled=True,
    tool_not_found_behavior="return_error_to_model",
    tool_execution=ToolExecutionConfig(max_function_tool_concurrency=1),  # simultaneous motions would collide
)


class ModelTurn:
    """Runs the agents of one conversation turn, which answer it with a language model.

    Args:
        turn: Turn that receives the reply.
        tools: Tools of the turn.
        approved: Receives the approvals that a person gives.
        save: Serializes a run that waits for approval.
    """

    def __init__(
        self,
        turn: Turn,
        tools: TurnTools,
        approved: Approved,
        save: Callable[[RunState[Any, Any]], str],
    ) -> None:
        self._turn = turn
        self._tools = tools
        self._approved = approved
        self._save = save
        self._watcher = _RunWatcher(turn)
        self._repeated = RepeatedSentences()

    async def answer(
        self, team: Agent[Any], begin: list[TResponseInputItem] | RunState[Any, Any]
    ) -> list[TResponseInputItem]:
        """Runs the agents, streams their reply to the turn, and asks a person about calls that need approval.

        Args:
            team: First agent.
            begin: History and the new user message, or the state of a run to resume.

        Returns:
            Conversation with the items that the run has added.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`, `MODEL_FAILED`, `MODEL_TRUNCATED`, `MODEL_MISBEHAVED` or `BUDGET_EXCEEDED`.
        """
        set_tracing_disabled(True)  # the SDK would upload its traces if it found an API key
        answered = False
        while True:
            run = Runner.run_streamed(team, begin, max_turns=MAX_STEPS, hooks=self._watcher, run_config=_CONFIG)
            answered |= await self._watched(run)
            if not run.interruptions:
                break
            begin = run.to_state()
            await self.settle(begin, {})
        if not answered:
            raise AgentError(ErrorCode.MODEL_MISBEHAVED, "The language model's answer was empty.")
        return run.to_input_list()

    async def settle(self, state: RunState[Any, Any], known: Mapping[tuple[str, str], uuid.UUID | AgentError]) -> None:
        """Asks a person to approve or deny each tool call of a run that needs approval.

        Args:
            state: State of the run; receives the approvals and rejections.
            known: Earlier answers, by tool and arguments.
        """
        for item in state.get_interruptions():
            name = item.name or ""
            arguments_json = self._tools.writing.completed(name, item.arguments or "")
            try:
                answer = known.get((name, arguments_json)) or await self._tools.ask(
                    name, arguments_json, self._save(state)
                )
            except AgentError as error:
                answer = error
            if isinstance(answer, AgentError):
                state.reject(item, rejection_message=ToolOutcome("{}", answer).for_model)
            else:
                self._approved[item.call_id or ""] = answer
                state.approve(item)

    async def _watched(self, run: RunResultStreaming) -> bool:
        """Streams a run until it ends or needs approval. Returns whether it produced any text."""
        try:
            return await self._stream(run)
        except MODEL_EXCEPTIONS as error:
            failure = agent_error(error)
            self._watcher.fail(failure)
            raise failure from error
        except asyncio.CancelledError:
            self._watcher.fail(AgentError(ErrorCode.CANCELED, "The call to the language model was canceled."))
            raise
        finally:
            await _end(run)

    async def _stream(self, run: RunResultStreaming) -> bool:
        answered = False
        async for event in run.stream_events():
            if not isinstance(event, RawResponsesStreamEvent):
                continue
            if isinstance(event.data, ResponseTextDeltaEvent):
                answered |= bool(event.data.delta.strip())
                self._reply(event.data.delta)
            elif event.data.type == "response.completed":
                self._turn.end_sentence()
        return answered

    def _reply(self, text: str) -> None:
        """Adds text to the reply in small parts, so that repeated sentences are cut before they are spoken."""
        for first in range(0, len(text), LEAST_SENTENCE):
            piece = text[first : first + LEAST_SENTENCE]
            try:
                self._repeated.feed(piece)
            except RunawayError:
                self._turn.drop_clause()
                raise
            self._turn.reply(piece)


async def run_state(team: Agent[Any], account: Mapping[str, Any]) -> RunState[Any, Any]:
    """Restores a run that was stored while it waited for approval.

    Raises:
        AgentError: `STORAGE_FAILED`: another version of the SDK stored the run, or one of its agents no longer exists.
    """
    try:
        said = account["original_input"]
        return await RunState.from_json(team, {**account, "original_input": [_plain(item) for item in said]})
    except (UserError, LookupError, TypeError, ValueError) as error:
        message = f"Cannot resume the stored run: {error!s:.200}"
        raise AgentError(ErrorCode.STORAGE_FAILED, message) from error


def _plain(item: dict[str, Any]) -> dict[str, Any]:
    """Converts a stored reply of the assistant to plain text, because the SDK cannot read the form that it stores."""
    if item.get("role") != "assistant" or item.get("type") or isinstance(item["content"], str):
        return item
    return {"role": "assistant", "content": "".join(part["text"] for part in item["content"])}


async def _end(run: RunResultStreaming) -> None:
    """Stops a run and its background task. Without this, the task would continue after the turn was cancelled."""
    if run.is_complete:
        return
    run.cancel()
    if run.run_loop_task is not None:
        await asyncio.wait([run.run_loop_task])
        with contextlib.suppress(*MODEL_EXCEPTIONS, asyncio.CancelledError):  # `cancel` has cancelled the task
            run.run_loop_task.result()


class _RunWatcher(RunHooks[Any]):
    """Hooks that report the agents, model calls and handoffs of one turn.

    Args:
        turn: Turn that receives the reports.
    """

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._span: Span | None = None

    async def on_agent_start(self, context: AgentHookContext[Any], agent: Agent[Any]) -> None:
        """Reports that an agent has started."""
        self._turn.result.agent = agent.name
        self._turn.observe(AgentStarted(agent.name))

    async def on_llm_start(
        self,
        context: RunContextWrapper[Any],
        agent: Agent[Any],
        system_prompt: str | None,
        input_items: list[TResponseInputItem],
    ) -> None:
        """Opens a span for a model call."""
        self._span = self._turn.trace.open(SpanKind.MODEL, agent.name)

    async def on_llm_end(self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse) -> None:
        """Counts the tokens of a model call and closes its span."""
        used, result = response.usage, self._turn.result
        result.input_tokens += used.input_tokens
        result.output_tokens += used.output_tokens
        if self._span is not None:
            self._span.input_tokens, self._span.output_tokens = used.input_tokens, used.output_tokens
            self._close()

    async def on_handoff(self, context: RunContextWrapper[Any], from_agent: Agent[Any], to_agent: Agent[Any]) -> None:
        """Reports a handoff to another agent."""
        with self._turn.trace.span(SpanKind.HANDOFF, to_agent.name) as span:
            span.summary = f"{from_agent.name} hands over to {to_agent.name}"
        self._turn.observe(HandedOff(to_agent.name))

    def fail(self, error: AgentError) -> None:
        """Closes the span of an open model call with an error. Does nothing if no model call is open."""
        if self._span is not None:
            self._span.error = error
            self._close()

    def _close(self) -> None:
        if self._span is not None:
            self._turn.trace.close(self._span)
            self._span = None
