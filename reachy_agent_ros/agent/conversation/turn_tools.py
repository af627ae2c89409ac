"""Tool calls of one turn: limits, permissions, notifications and traces."""

from __future__ import annotations

import json
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.conversation.tool_writing import WRITE_TOOL, ToolWriting, wishes_tool
from reachy_agent_ros.agent.conversation.turn import ToolEnded, ToolStarted, Turn, Waiting
from reachy_agent_ros.agent.conversation.turn_request import SavedTurn
from reachy_agent_ros.agent.guardrails.call_limits import MotionLimits, RepeatedCalls, same_call
from reachy_agent_ros.agent.permissions.permissions import Call, PermissionVerdict
from reachy_agent_ros.agent.permissions.policy import PermissionTier
from reachy_agent_ros.agent.permissions.tool_executor import ToolExecutor
from reachy_agent_ros.agent.provenance.judgment import Provenance, asks_for
from reachy_agent_ros.agent.provenance.label import LabeledText, labels_of, read, written
from reachy_agent_ros.agent.traces.trace import SpanKind
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOutcome

REFLEX = "reflex"
"""Name of the intent recognizer in fields that name an agent."""


class TurnTools:
    """Makes the tool calls of a turn, and enforces limits and permissions.

    Args:
        turn: Turn that makes the calls.
        executor: Executes tools, subject to permissions.
        understood: Returns the tools that the recognizer would call for a part of a sentence.

    Attributes:
        tainted: Whether the model has read instructions in external text. Writable.
        provenance: Sources of the text that the model has been shown.
        calls: Called tools in order, each with the name of its error, or an empty string if it succeeded.
        writing: State of tool writing.
    """

    def __init__(
        self, turn: Turn, executor: ToolExecutor, understood: Callable[[str], Sequence[str]] = lambda _text: ()
    ) -> None:
        self.tainted = False
        self.provenance = Provenance(turn.request.text, understood)
        self.calls: list[tuple[str, str]] = []
        self._turn = turn
        self._executor = executor
        self._repeated = RepeatedCalls()
        self._motion = MotionLimits()
        self.writing = ToolWriting(executor.catalogue, wishes_tool(turn.request.text), turn.request.order)
        self._reflex_deeds: set[tuple[str, str]] = set()
        self._made: list[Action] = []

    @property
    def made(self) -> list[Action]:
        """Successful calls by the model, in order. Empty if a call failed or may have been caused by external text."""
        failed = any(error for _, error in self.calls)
        return [] if failed or self.provenance.context.labels else self._made

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that can be called now."""
        return self._executor.catalogue()

    def source_of_others(self, actions: Sequence[Action]) -> tuple[str, str]:
        """Returns the name and labels of the first tool in `actions` that reads external text; empty if none does."""
        told = (self._executor.described(action.tool) for action in actions)
        found = (
            (tool.name, written(labels_of(tool))) for tool in told if tool is not None and tool.has_untrusted_output
        )
        return next(found, ("", ""))

    def go_on(self, saved: SavedTurn) -> None:
        """Restores the tool calls and provenance labels that the turn had recorded before a restart."""
        self.tainted = saved.tainted
        self.calls.extend(saved.calls)
        self.provenance.context.add_items(saved.state)
        self.provenance.context.add(LabeledText("", read(saved.origin)))
        for name, _ in saved.calls:
            self.provenance.called(name)
        self.writing.due &= all(name != WRITE_TOOL for name, _ in saved.calls)

    async def act(self, index: int, action: Action) -> ToolOutcome:
        """Executes the recognized action at `index`. If the action has already begun, waits until it has finished."""
        start = partial(self._permitted, action.tool, action.arguments_json, None, by_person=True)
        deed = self._turn.request.deeds.outcome(index, action, start)
        outcome = await self._watched(action.tool, action.arguments_json, deed)
        if outcome.error is None:
            self._reflex_deeds.add(same_call(action.tool, action.arguments_json))
        return outcome

    async def call(self, name: str, arguments_json: str, approval_id: uuid.UUID | None = None) -> ToolOutcome:
        """Calls a tool for a model. A failed call returns an outcome with an error.

        Args:
            name: Name of the tool.
            arguments_json: Arguments as the model wrote them.
            approval_id: Result of `ask` for this call, None if nobody was asked.

        Raises:
            AgentError: `MODEL_MISBEHAVED`: the model repeats the same call. Ends the turn.
        """
        arguments_json = self.writing.completed(name, arguments_json)
        try:
            self._repeated.begin(name, arguments_json)
        except AgentError as error:
            self._note_guardrail("repeated calls", name, arguments_json, error)
            raise
        refusal = self._refusal(name, arguments_json)
        if refusal is not None:
            self._note_guardrail("limits", name, arguments_json, refusal)
            return ToolOutcome("{}", refusal)
        outcome = await self._watched(name, arguments_json, self._permitted(name, arguments_json, approval_id))
        if name == WRITE_TOOL:
            outcome = await self.writing.led(arguments_json, outcome)
        if outcome.error is None:
            self._made.append(Action(name, json.loads(arguments_json or "{}")))
        elif not (name == WRITE_TOOL and self.writing.due):  # `ToolWriting` counts its own repairs
            self._repeated.failed(name, arguments_json)
        return outcome

    def must_ask(self, name: str, arguments_json: str) -> bool:
        """Returns whether a call by a model needs approval."""
        return self._executor.enforcement.must_ask(self._described(name, self.writing.completed(name, arguments_json)))

    async def ask(self, name: str, arguments_json: str, run_state: str) -> uuid.UUID:
        """Asks a person to approve a call that a model is about to make.

        Args:
            name: Name of the tool.
            arguments_json: Arguments as the model wrote them.
            run_state: Serialized turn, from which it can be resumed after a restart.

        Returns:
            Id of the approval, for `call`.

        Raises:
            AgentError: `APPROVAL_DENIED`, or another reason why the call must not be made.
        """
        arguments_json = self.writing.completed(name, arguments_json)
        call = self._described(name, arguments_json, run_state=run_state)
        self._put_question(name, arguments_json, "" if call.concern is None else call.concern.reason)
        with self._turn.trace.span(SpanKind.APPROVAL, name, arguments_json):
            return await self._executor.enforcement.ask(call)

    def _refusal(self, name: str, arguments_json: str) -> AgentError | None:
        """Returns an error if a model's call must be rejected even with a person's approval; None otherwise."""
        if same_call(name, arguments_json) in self._reflex_deeds:
            message = f"The robot's reflex already did {name} for this sentence; it is not repeated."
            return AgentError(ErrorCode.INVALID_GOAL, message)
        if name == WRITE_TOOL and self.writing.refusal is not None:
            return self.writing.refusal
        tool = self._executor.described(name)
        try:
            if tool is not None and tool.moves_robot:
                self._motion.admit(tool, arguments_json)
        except AgentError as error:
            return error
        return None

    async def _permitted(
        self, name: str, arguments_json: str, approval_id: uuid.UUID | None, by_person: bool = False
    ) -> ToolOutcome:
        if not self._executor.allows(name):
            return ToolOutcome("{}", AgentError(ErrorCode.TOOL_DISABLED, phrases.not_mine(name)))
        call = self._described(name, arguments_json, approval_id, by_person=by_person)
        self.provenance.called(name)
        return await self._executor.call(
            call,
            lambda verdict: self._tell(name, arguments_json, verdict, approval_id is not None),
        )

    async def _watched(self, name: str, arguments_json: str, call: Awaitable[ToolOutcome]) -> ToolOutcome:
        turn = self._turn
        turn.result.tools_called.append(name)
        turn.observe(ToolStarted(name, arguments_json))
        span = turn.trace.open(SpanKind.TOOL, name, arguments_json)
        outcome = ToolOutcome("{}", AgentError(ErrorCode.CANCELED, f"{name} was canceled."))
        try:
            outcome = await call
        finally:
            self.calls.append((name, outcome.error.code.name if outcome.error else ""))
            span.error = outcome.error
            span.summary = outcome.result_json
            turn.trace.close(span)
            turn.observe(ToolEnded(name, outcome))
        return outcome

    def _described(
        self,
        name: str,
        arguments_json: str,
        approval_id: uuid.UUID | None = None,
        run_state: str = "",
        by_person: bool = False,
    ) -> Call:
        """Builds a call for the executor. Recognized commands have no provenance labels, because a person gave them."""
        request, tool = self._turn.request, self._executor.described(name)
        agent = self._turn.result.agent or REFLEX
        call = Call(
            name,
            arguments_json,
            request.session_id,
            request.turn_id,
            agent,
            run_state,
            self.tainted,
            asked_by=request.principal.token,
            approval_id=approval_id,
            language="" if self._turn.decision is None else self._turn.decision.language,
        )
        if by_person or tool is None:
            return call
        return replace(
            call,
            origin=written(self.provenance.context.labels),
            concern=self.provenance.concern(tool, arguments_json),
            kept_origin=self.provenance.kept_origin(arguments_json),
        )

    def _tell(self, name: str, arguments_json: str, verdict: PermissionVerdict, approved: bool) -> None:
        """Asks the person to approve a call. If the call needs only a notification, announces the call instead."""
        if verdict.must_ask and not approved:
            self._put_question(name, arguments_json, verdict.reason if asks_for(verdict.rule) else "")
        elif (
            verdict.tier is PermissionTier.NOTIFY and self._turn.result.agent != REFLEX
        ):  # recognized commands are confirmed in the reply anyway
            self._turn.add(phrases.using(name))

    def _put_question(self, name: str, arguments_json: str, why: str) -> None:
        asked = self._executor.question(name, arguments_json, self._turn.request.session_id, why)
        self._turn.add(asked)
        self._turn.observe(Waiting(asked))

    def _note_guardrail(self, guardrail: str, name: str, arguments_json: str, error: AgentError) -> None:
        span = self._turn.trace.open(SpanKind.GUARDRAIL, guardrail, arguments_json)
        span.summary, span.error = name, error
        self._turn.trace.close(span)
