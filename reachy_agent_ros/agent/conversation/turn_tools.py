"""The tools of one turn: every call is guarded, permitted, told and traced."""

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
from reachy_agent_ros.agent.provenance.judgement import Provenance, asks_for
from reachy_agent_ros.agent.provenance.label import LabelledText, labels_of, read, written
from reachy_agent_ros.agent.traces.trace import SpanKind
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOutcome

REFLEX = "reflex"
"""Name of the reflex where agents are named."""


class TurnTools:
    """A turn's only way to a tool.

    Args:
        turn: Whose.
        gate: What every call passes.
        understood: The tools that the recognizer would call for a part of a sentence.

    Attributes:
        tainted: Whether the model has read words of others that give orders; may be set.
        provenance: Where what the model has been shown comes from.
        calls: Every tool that was called, with the name of the error it ended with, empty for none, in order.
        writing: The tools that are written in it.
    """

    def __init__(
        self, turn: Turn, gate: ToolExecutor, understood: Callable[[str], Sequence[str]] = lambda _text: ()
    ) -> None:
        self.tainted = False
        self.provenance = Provenance(turn.request.text, understood)
        self.calls: list[tuple[str, str]] = []
        self._turn = turn
        self._gate = gate
        self._repeated = RepeatedCalls()
        self._motion = MotionLimits()
        self.writing = ToolWriting(gate.catalogue, wishes_tool(turn.request.text), turn.request.order)
        self._reflex_deeds: set[tuple[str, str]] = set()
        self._made: list[Action] = []

    @property
    def made(self) -> list[Action]:
        """What a model called, in order; nothing if any of it failed, or if text of others may have led to it."""
        failed = any(error for _, error in self.calls)
        return [] if failed or self.provenance.context.labels else self._made

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now."""
        return self._gate.catalogue()

    def source_of_others(self, actions: Sequence[Action]) -> tuple[str, str]:
        """The first tool of some actions that tells what others wrote, and its labels in one line; empty for none."""
        told = (self._gate.described(action.tool) for action in actions)
        found = ((tool.name, written(labels_of(tool))) for tool in told if tool is not None and tool.is_of_others)
        return next(found, ("", ""))

    def go_on(self, saved: SavedTurn) -> None:
        """Takes over what the turn had read and done before a restart."""
        self.tainted = saved.tainted
        self.calls.extend(saved.calls)
        self.provenance.context.add_items(saved.state)
        self.provenance.context.add(LabelledText("", read(saved.origin)))
        for name, _ in saved.calls:
            self.provenance.called(name)
        self.writing.due &= all(name != WRITE_TOOL for name, _ in saved.calls)

    async def act(self, index: int, action: Action) -> ToolOutcome:
        """Does the turn's action at `index` by reflex, or waits for its end where it was begun already."""
        start = partial(self._permitted, action.tool, action.arguments_json, None, by_person=True)
        deed = self._turn.request.deeds.outcome(index, action, start)
        outcome = await self._watched(action.tool, action.arguments_json, deed)
        if outcome.error is None:
            self._reflex_deeds.add(same_call(action.tool, action.arguments_json))
        return outcome

    async def call(self, name: str, arguments_json: str, approval_id: uuid.UUID | None = None) -> ToolOutcome:
        """Calls a tool for a model; every failure is an outcome.

        Args:
            name: Tool.
            arguments_json: As the model wrote them.
            approval_id: What `ask` returned for this very call, None where nobody was asked.

        Raises:
            AgentError: `MODEL_MISBEHAVED`, for the turn: the model goes round in circles.
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
        elif not (name == WRITE_TOOL and self.writing.due):  # whose repairs are counted where they are asked for
            self._repeated.failed(name, arguments_json)
        return outcome

    def must_ask(self, name: str, arguments_json: str) -> bool:
        """Whether a person must say yes before a call of a model's."""
        return self._gate.enforcement.must_ask(self._described(name, self.writing.completed(name, arguments_json)))

    async def ask(self, name: str, arguments_json: str, run_state: str) -> uuid.UUID:
        """Asks a person about a call that a model is about to make.

        Args:
            name: Tool.
            arguments_json: As the model wrote them.
            run_state: What the turn needs to go on after a restart.

        Returns:
            The approval's id, for `call`.

        Raises:
            AgentError: `APPROVAL_DENIED`, or what else keeps the call from being made.
        """
        arguments_json = self.writing.completed(name, arguments_json)
        call = self._described(name, arguments_json, run_state=run_state)
        self._put_question(name, arguments_json, "" if call.concern is None else call.concern.reason)
        with self._turn.trace.span(SpanKind.APPROVAL, name, arguments_json):
            return await self._gate.enforcement.ask(call)

    def _refusal(self, name: str, arguments_json: str) -> AgentError | None:
        """Why a call of a model's is not made, whatever a person would say to it."""
        if same_call(name, arguments_json) in self._reflex_deeds:
            message = f"The robot's reflex did {name} already for this very sentence; it is not done twice."
            return AgentError(ErrorCode.INVALID_GOAL, message)
        if name == WRITE_TOOL and self.writing.refusal is not None:
            return self.writing.refusal
        tool = self._gate.described(name)
        try:
            if tool is not None and tool.moves_robot:
                self._motion.admit(tool, arguments_json)
        except AgentError as error:
            return error
        return None

    async def _permitted(
        self, name: str, arguments_json: str, approval_id: uuid.UUID | None, by_person: bool = False
    ) -> ToolOutcome:
        if not self._gate.allows(name):
            return ToolOutcome("{}", AgentError(ErrorCode.TOOL_DISABLED, phrases.not_mine(name)))
        call = self._described(name, arguments_json, approval_id, by_person=by_person)
        self.provenance.called(name)
        return await self._gate.call(
            call,
            lambda verdict: self._tell(name, arguments_json, verdict, approval_id is not None),
        )

    async def _watched(self, name: str, arguments_json: str, call: Awaitable[ToolOutcome]) -> ToolOutcome:
        turn = self._turn
        turn.result.tools_called.append(name)
        turn.observe(ToolStarted(name, arguments_json))
        span = turn.trace.open(SpanKind.TOOL, name, arguments_json)
        outcome = ToolOutcome("{}", AgentError(ErrorCode.CANCELED, f"{name} was cancelled."))
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
        """A call for the gate; one that the reflex makes comes from a person's words alone, whatever was read."""
        request, tool = self._turn.request, self._gate.described(name)
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
        """Tells the person what is done without asking them, or asks them."""
        if verdict.must_ask and not approved:
            self._put_question(name, arguments_json, verdict.reason if asks_for(verdict.rule) else "")
        elif (
            verdict.tier is PermissionTier.NOTIFY and self._turn.result.agent != REFLEX
        ):  # the reflex says what it did anyway
            self._turn.add(phrases.using(name))

    def _put_question(self, name: str, arguments_json: str, why: str) -> None:
        asked = self._gate.question(name, arguments_json, self._turn.request.session_id, why)
        self._turn.add(asked)
        self._turn.observe(Waiting(asked))

    def _note_guardrail(self, guardrail: str, name: str, arguments_json: str, error: AgentError) -> None:
        span = self._turn.trace.open(SpanKind.GUARDRAIL, guardrail, arguments_json)
        span.summary, span.error = name, error
        self._turn.trace.close(span)
