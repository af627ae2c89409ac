"""Dialogue with a language model: queries the model and stores the conversation history."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.conversation.prompt_context import (
    PromptContext,
    ToolPreference,
    advisable,
    sentence,
    unbriefed,
)
from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.conversation.turn_request import SavedTurn
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX, TurnTools
from reachy_agent_ros.agent.guardrails.tool_output import warned_of
from reachy_agent_ros.agent.guardrails.unsupported_claims import unsupported_claims
from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.budget import ModelCounters
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.provenance.label import written
from reachy_agent_ros.agent.sessions.session import text_of
from reachy_agent_ros.agent.sessions.session_store import SessionStore
from reachy_agent_ros.agent.traces.trace import SpanKind
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.answer import Appraisal, verdict

if TYPE_CHECKING:
    from agents import Agent, RunState
    from agents.items import TResponseInputItem

    from reachy_agent_ros.agent.conversation.model_turn import ModelTurn
    from reachy_agent_ros.agent.model.task_model import TaskModel

_log = logging.getLogger(__name__)

INTERRUPTED = "[interrupted by the person]"
"""Marker in the history after an answer that was interrupted."""

Otherwise = Callable[[], Awaitable[bool]]
"""Replies without a model. Returns whether there is a reply."""

CALLS_KEPT = 20
"""Maximum number of tool calls that a reply may refer to, from its turn and earlier turns."""


class Dialogue:
    """Answers conversation turns with a language model.

    Args:
        access: Access to the model.
        sessions: Store of conversations.
        briefing: Context that is added to the prompt of the model.
        approval_time: Time that a tool call may wait for approval, s.
        tokens: Limit on the total input and output tokens of all model calls in one turn.
        preference: Suggests a tool to the model; None for no suggestions.
    """

    def __init__(
        self,
        access: ModelAccess,
        sessions: SessionStore,
        briefing: PromptContext,
        approval_time: float,
        tokens: int,
        preference: ToolPreference | None = None,
    ) -> None:
        self._access = access
        self._sessions = sessions
        self._briefing = briefing
        self._approval_time = approval_time
        self._tokens = tokens
        self._preference = preference
        self._offered: set[str] = set()  # conversations in which the command that sets up a model was named
        self._calls: defaultdict[str, deque[tuple[str, bool]]] = defaultdict(lambda: deque(maxlen=CALLS_KEPT))

    @property
    def has_model(self) -> bool:
        """Whether a model is configured, even if its server is unreachable."""
        return self._access.configured

    async def answer(self, turn: Turn, message: str, tools: TurnTools, otherwise: Otherwise | None = None) -> None:
        """Answers a user message with the model. If the model fails, replies with the reason.

        Args:
            turn: Turn that receives the reply.
            message: User message for the model.
            tools: Tools of the turn.
            otherwise: Replies if no model is available.

        Raises:
            AgentError: `STORAGE_FAILED`: the answer could not be stored.
        """
        session_id = turn.request.session_id

        async def ask(model: TaskModel) -> list[TResponseInputItem]:
            history = await self._sessions.history(session_id)
            tools.tainted |= any(map(warned_of, history))  # injected instructions stay in the history
            tools.provenance.context.add_items(history)
            tools.provenance.heard_before([text_of(item) for item in history if item.get("role") == "user"])
            model_turn, team = self._prepared(turn, tools, model, len(history))
            advice = await asyncio.to_thread(self._advice, turn, tools)
            briefed, known = await self._briefing.briefed(message, session_id, advice)
            for one in known:
                tools.provenance.context.add(one)
            return (await model_turn.answer(team, [*history, _said("user", briefed)]))[len(history) :]

        await self._attempt(turn, tools, ask, otherwise)

    async def resume(
        self,
        turn: Turn,
        tools: TurnTools,
        saved: SavedTurn,
        pending: PendingApproval,
        answer: uuid.UUID | AgentError,
    ) -> None:
        """Resumes a turn whose approval question was answered after a restart.

        Args:
            turn: Turn that receives the rest of the reply.
            tools: Tools of the turn.
            saved: Stored state of the turn.
            pending: Approval question.
            answer: Id of the approval, or the reason why there is none.

        Raises:
            AgentError: `STORAGE_FAILED`: the answer could not be stored.
        """

        async def ask(model: TaskModel) -> list[TResponseInputItem]:
            from reachy_agent_ros.agent.conversation.model_turn import run_state

            model_turn, team = self._prepared(turn, tools, model, saved.history)
            state = await run_state(team, saved.state)
            await model_turn.settle(state, {(pending.tool, pending.arguments_json): answer})
            return (await model_turn.answer(team, state))[saved.history :]

        await self._attempt(turn, tools, ask)

    async def remember(self, turn: Turn, interrupted: bool = False) -> None:
        """Adds a turn that no model completed, such as an interrupted one, to the history, as context for later turns.

        Args:
            turn: Turn.
            interrupted: Whether a person interrupted the turn.

        Raises:
            AgentError: `STORAGE_FAILED`: the turn could not be stored.
        """
        reply = f"{turn.kept} {INTERRUPTED}".strip() if interrupted else turn.kept
        items = [_said("user", turn.request.text), _said("assistant", reply)]
        await self._sessions.append(turn.request.session_id, items)

    async def _attempt(
        self,
        turn: Turn,
        tools: TurnTools,
        ask: Callable[[TaskModel], Awaitable[list[TResponseInputItem]]],
        otherwise: Otherwise | None = None,
    ) -> None:
        """Runs the model and stores the new messages, or replies with the error. Records the number of model calls."""
        model: TaskModel | None = None
        try:
            model = await self._access.model(turn.request.text, self._tokens)
            items = await ask(model)
        except AgentError as error:
            await self._excuse(turn, tools, error, otherwise)
        else:
            await self._keep(turn, tools, items)
        finally:
            counters = ModelCounters() if model is None else model.counters
            result = turn.result
            result.model_calls, result.model_retries = counters.calls, counters.retries
            result.model_fallbacks, result.model_repairs = counters.fallbacks, counters.repaired

    def _prepared(
        self, turn: Turn, tools: TurnTools, model: TaskModel, history: int
    ) -> tuple[ModelTurn, Agent[object]]:
        from reachy_agent_ros.agent.conversation.function_tools import Approved, LiveTools, function_tool
        from reachy_agent_ros.agent.conversation.model_turn import ModelTurn
        from reachy_agent_ros.agent.conversation.team import build_team

        approved: Approved = {}
        live = LiveTools(
            lambda: self._briefing.offered(tools.catalogue()),
            lambda about: function_tool(about, tools, approved, self._approval_time),
        )
        team = build_team(self._briefing.team, model.of_tier, live, self._briefing.manner, tools.writing)

        def save(state: RunState[Any, Any]) -> str:
            account = state.to_json()
            origin = written(tools.provenance.context.labels)
            return SavedTurn(turn.request, history, account, tools.tainted, tuple(tools.calls), origin).to_json()

        return ModelTurn(turn, tools, approved, save), team

    def _advice(self, turn: Turn, tools: TurnTools) -> str:
        """Returns a sentence that suggests a tool to the model; empty if no offered tool is suggested."""
        if self._preference is None:
            return ""
        offered = {tool.name: tool for tool in advisable(self._briefing.offered(tools.catalogue()))}
        try:
            advised = self._preference.advise(turn.request.turn_id, turn.request.text, list(offered.values()))
        except AgentError as error:  # an answer without a suggestion is better than none
            _log.warning("Continuing without a tool suggestion: %s", error)
            return ""
        return sentence(offered[advised]) if advised in offered else ""

    async def _keep(self, turn: Turn, tools: TurnTools, items: list[TResponseInputItem]) -> None:
        """Corrects unsupported claims of the reply, then stores the turn."""
        calls = self._known_calls(turn, tools)
        said = items[0]
        kept = [_said("user", unbriefed(str(said.get("content", "")))), *items[1:]]
        for claim in unsupported_claims(turn.result.reply, list(calls)):
            span = turn.trace.open(SpanKind.GUARDRAIL, "claims")
            span.summary = f"{claim.sentence!r} is not supported: {claim.correction}"
            turn.trace.close(span)
            correction = phrases.corrected(claim.correction)
            turn.add(correction)
            kept.append(_said("assistant", correction))
        await self._sessions.append(turn.request.session_id, kept)

    def _known_calls(self, turn: Turn, tools: TurnTools) -> deque[tuple[str, bool]]:
        """Returns the latest tool calls of the conversation and of this turn, each with its success."""
        calls = self._calls[turn.request.session_id]
        calls.extend((tool, not error) for tool, error in tools.calls)
        return calls

    async def _excuse(self, turn: Turn, tools: TurnTools, error: AgentError, otherwise: Otherwise | None) -> None:
        self._known_calls(turn, tools)
        turn.result.agent = turn.result.agent or REFLEX
        turn.end_sentence()
        unavailable = error.code is ErrorCode.MODEL_UNAVAILABLE
        judged = verdict(turn.request.text) if unavailable else None
        if judged is not None:  # feedback needs no answer from a model
            turn.reply(phrases.judged(judged is Appraisal.PRAISE))
            await self.remember(turn)
            return
        if unavailable and otherwise is not None and not turn.result.reply and await otherwise():
            await self.remember(turn)
            return
        turn.result.error = error
        _log.warning("The language model cannot answer: %s", error)
        begun = bool(turn.result.reply.strip())
        turn.add(self._needs_model(turn.request.session_id) if unavailable else phrases.broken(error, begun))
        await self.remember(turn)

    def _needs_model(self, session_id: str) -> str:
        offers = session_id not in self._offered
        self._offered.add(session_id)
        return phrases.needs_model(self._access.configured, offers)


def _said(role: Literal["user", "assistant"], text: str) -> TResponseInputItem:
    return {"role": role, "content": text}
