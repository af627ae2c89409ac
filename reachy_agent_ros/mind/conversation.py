"""Turns of conversation: the reflex first, a model next, one at a time, and a stop past all of them."""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind import phrases
from reachy_agent_ros.mind.apprenticeship import Apprenticeship
from reachy_agent_ros.mind.dialogue import Dialogue
from reachy_agent_ros.mind.events import Clause, Event, HandedOff, ToolEnded, ToolStarted
from reachy_agent_ros.mind.floor import Floor
from reachy_agent_ros.mind.permissions.answer import read_answer
from reachy_agent_ros.mind.permissions.approvals import Approvals
from reachy_agent_ros.mind.permissions.call import Call
from reachy_agent_ros.mind.permissions.pending_approval import PendingApproval
from reachy_agent_ros.mind.permissions.permissions import STOP
from reachy_agent_ros.mind.reflex.clarification import choose
from reachy_agent_ros.mind.reflex.decision import Action, Decision, Kind
from reachy_agent_ros.mind.reflex_turn import act
from reachy_agent_ros.mind.reflexes import Reflexes
from reachy_agent_ros.mind.saved_turn import SavedTurn
from reachy_agent_ros.mind.status import StatusBoard
from reachy_agent_ros.mind.surroundings import Surroundings
from reachy_agent_ros.mind.tool_gate import ToolGate
from reachy_agent_ros.mind.tools import ToolOutcome
from reachy_agent_ros.mind.trace import Span, SpanKind, Trace
from reachy_agent_ros.mind.turn import Turn
from reachy_agent_ros.mind.turn_queue import TurnQueue
from reachy_agent_ros.mind.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.mind.turn_tools import REFLEX, TurnTools
from reachy_agent_ros.mind.voice import Voice

Observe = Callable[[Event], None]
"""Takes a turn's events as they come."""

Publish = Callable[[Span], None]
"""Takes a turn's spans as they end, speech also after the turn."""

Calls = list[tuple[str, str]]
"""Tools that were called, with the name of the error each ended with, empty for none."""

_FAULTS = (ErrorCode.STORAGE_FAILED, ErrorCode.INTERNAL, ErrorCode.MODEL_UNAVAILABLE, ErrorCode.MODEL_FAILED)
"""What may keep the next turn from going well too."""


_PLAIN_NO = re.compile(r"\s*(?:no|nope|nah)\b(?!.*\bstop)", re.IGNORECASE)
"""Alone it is a stop, but not where the robot has asked something."""


@dataclass(frozen=True)
class Bounds:
    """What one turn may use.

    Attributes:
        seconds: Time, without that spent waiting for its turn.
        tokens: Read and written by all model calls together.
    """

    seconds: float = 120.0
    tokens: int = 40_000


@dataclass(frozen=True)
class Parts:
    """What a conversation is made of.

    Attributes:
        surroundings: The world around it.
        gate: The way to every tool.
        approvals: What waits for a person.
        dialogue: What a model takes.
        reflexes: What decides first.
        status: Where it is told what goes on.
        voice: Tells the name of the voice, empty for the configured one.
        began: Called with the request of every turn that runs, before anything is decided.
        ended: Called with every turn that has run, and the tools it called.
    """

    surroundings: Surroundings
    gate: ToolGate
    approvals: Approvals
    dialogue: Dialogue
    reflexes: Reflexes
    status: StatusBoard
    voice: Callable[[], str] = str
    began: Callable[[TurnRequest], None] = lambda _request: None
    ended: Callable[[TurnRequest, TurnResult, Calls], None] = lambda _request, _result, _calls: None


class Conversation:
    """The mind at work. Use it from one event loop.

    Args:
        parts: What it is made of.
        bounds: What a turn may use.

    Attributes:
        floor: Whose turn it is to speak.
    """

    def __init__(self, parts: Parts, bounds: Bounds) -> None:
        self.floor = Floor()
        self._parts = parts
        self._bounds = bounds
        self._voice = Voice(parts.surroundings, self.floor, parts.voice)
        self._queue = TurnQueue(parts.status.waits)
        self._asked: dict[str, tuple[str, Decision]] = {}
        self._apprenticeship = Apprenticeship(parts.reflexes)

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._queue.busy

    async def converse(self, request: TurnRequest, observe: Observe, publish: Publish) -> TurnResult:
        """Takes one turn to its end. Cancelling the task ends the turn, with a result that says so.

        Args:
            request: What was said.
            observe: Takes the turn's events.
            publish: Takes the turn's spans.

        Returns:
            How it went, always.
        """
        turn = self._turn(request, observe, publish)
        waited = 0.0 if request.said is None else max(0.0, time.time() - request.said)
        turn.trace.heard(request.text, request.source.name.lower(), waited)
        return await self._whole(turn, self._take(turn))

    async def resume(
        self, pending: PendingApproval, saved: SavedTurn, observe: Observe, publish: Publish
    ) -> TurnResult:
        """Takes a turn up again that waited for a person when the last process ended; returns as `converse` does.

        Args:
            pending: Its question.
            saved: The turn.
            observe: Takes the turn's events.
            publish: Takes the turn's spans.
        """
        turn = self._turn(saved.request, observe, publish)
        return await self._whole(turn, self._go_on(turn, pending, saved))

    def decide(self, text: str) -> Decision:
        """What the reflex makes of a sentence."""
        return self._parts.reflexes.decide(text, self._parts.gate.catalogue())

    def may_begin(self, decision: Decision, turn_id: uuid.UUID, session_id: str) -> bool:
        """Whether all that a sentence asks for so far is free and can be taken back, so that it may begin early."""
        free = {tool.name for tool in self._parts.gate.catalogue() if tool.reversible}
        return decision.kind is Kind.ACT and all(
            action.tool in free
            and self._parts.gate.allows(action.tool)
            and not self._parts.gate.enforcement.must_ask(_call(action, turn_id, session_id))
            for action in decision.actions
        )

    async def begin(self, action: Action, turn_id: uuid.UUID, session_id: str) -> ToolOutcome:
        """Does what a sentence asks for before it is over."""
        return await self._parts.gate.call(_call(action, turn_id, session_id))

    def interrupt(self) -> None:
        """Falls silent and ends every turn that runs or waits: somebody else has the word.

        A turn that waits for a person's yes or no goes on waiting: what they say now may be it.
        """
        self._voice.silence()
        if not self._parts.approvals.waiting():
            self._queue.cancel_others()

    async def stop(self) -> None:
        """Holds the robot, silences it and ends every turn that runs or waits, except the one that calls this.

        Raises:
            AgentError: The robot could not be told to hold; all the rest was done.
        """
        hold = asyncio.ensure_future(self._parts.surroundings.hold())
        self._voice.silence()
        self._queue.cancel_others()
        await hold

    async def close(self) -> None:
        """Falls silent, ends every turn, and waits for that."""
        self._voice.silence()
        await self._queue.close()

    def _turn(self, request: TurnRequest, observe: Observe, publish: Publish) -> Turn:
        trace = Trace(publish)

        def watch(event: Event) -> None:
            observe(event)
            if request.speak and isinstance(event, Clause):
                self._voice.say(event.text, request.turn_id, trace)
            elif isinstance(event, HandedOff):
                self._parts.status.works(request.turn_id, event.agent)

        return Turn(request, trace, watch)

    async def _whole(self, turn: Turn, work: Coroutine[Any, Any, None]) -> TurnResult:
        request, result = turn.request, turn.result
        span = turn.trace.open(SpanKind.TURN, request.source.name.lower())
        try:
            await work
        except AgentError as error:
            result.error = error
        except asyncio.CancelledError:
            self._voice.silence()
            result.error = AgentError(ErrorCode.CANCELED, "The turn was cancelled.")
        await request.deeds.end()
        turn.end_sentence()
        span.summary, span.error = result.reply, result.error
        turn.trace.close(span)
        result.elapsed = span.duration
        return result

    async def _take(self, turn: Turn) -> None:
        request = turn.request
        if not request.text.strip():
            raise AgentError(ErrorCode.INVALID_GOAL, "There is no text to answer.")
        if _PLAIN_NO.match(request.text) and self._answers_question(turn):
            return
        decision = self._decide(turn)
        if decision.stops:
            await self._stop(turn)
        elif self._answers_question(turn):
            return
        async with self._running(turn) as tools:
            await self._follow(turn, tools, decision)

    async def _go_on(self, turn: Turn, pending: PendingApproval, saved: SavedTurn) -> None:
        async with self._running(turn) as tools:
            answer: uuid.UUID | AgentError
            try:
                answer = await self._parts.gate.enforcement.resume(pending)
            except AgentError as error:
                answer = error
            await self._parts.dialogue.resume(turn, tools, self._parts.gate.catalogue(), saved, pending, answer)

    @asynccontextmanager
    async def _running(self, turn: Turn) -> AsyncIterator[TurnTools]:
        """The turn's time to run, alone, and its tools."""
        parts, request, result = self._parts, turn.request, turn.result
        seconds = request.time_allowance or self._bounds.seconds
        tools = TurnTools(turn, parts.gate)
        async with self._queue.admitted(request.wait):
            self._voice.silence()
            parts.status.works(request.turn_id)
            parts.began(request)
            try:
                async with asyncio.timeout(seconds):
                    yield tools
            except TimeoutError:
                message = f"The turn took longer than the {seconds:g} s it may take."
                raise AgentError(ErrorCode.BUDGET_EXCEEDED, message) from None
            finally:
                fault = result.error if result.error is not None and result.error.code in _FAULTS else None
                parts.status.rests("" if fault is None else fault.message)
            parts.ended(request, result, tools.calls)

    async def _stop(self, turn: Turn) -> None:
        turn.result.tools_called.append(STOP)
        turn.result.agent = REFLEX
        turn.observe(ToolStarted(STOP, "{}"))
        outcome = ToolOutcome("{}")
        try:
            with turn.trace.span(SpanKind.TOOL, STOP):
                await self.stop()
        except AgentError as error:
            outcome = ToolOutcome("{}", error)
            raise
        finally:
            turn.observe(ToolEnded(STOP, outcome))

    def _question_in(self, session_id: str) -> PendingApproval | None:
        waiting = self._parts.approvals.waiting()
        return next((pending for pending in waiting if pending.session_id == session_id), None)

    def _answers_question(self, turn: Turn) -> bool:
        """Takes what is said while a person is asked: a yes, a no, or nothing clear, and then it asks again."""
        pending = self._question_in(turn.request.session_id)
        if pending is None:
            return False
        answer = read_answer(turn.request.text)
        turn.result.agent = REFLEX
        if answer is None:
            turn.add(self._parts.gate.question(pending.tool, pending.arguments_json, pending.session_id))
            return True
        who = turn.request.source.name.lower()
        self._parts.gate.enforcement.decide(pending.approval_id, answer, who)
        turn.add(phrases.answered(pending.tool, answer.approve))
        return True

    def _decide(self, turn: Turn) -> Decision:
        with turn.trace.span(SpanKind.REFLEX, REFLEX) as span:
            asked_text, asked = self._asked.pop(turn.request.session_id, ("", None))
            chosen = None if asked is None else choose(turn.request.text, asked)
            decision = chosen or self.decide(turn.request.text)
            span.summary = decision.kind.value
        if chosen is not None:
            self._apprenticeship.confirmed(asked_text, chosen.actions)
        return decision

    async def _follow(self, turn: Turn, tools: TurnTools, decision: Decision) -> None:
        dialogue = self._parts.dialogue
        if decision.kind is not Kind.ACT:
            await turn.request.deeds.end()
        if decision.kind is Kind.DEFER:
            await self._answer(turn, tools, turn.request.text)
            if turn.result.error is None:
                self._apprenticeship.observed(turn.request.text, tools.made, self._parts.gate.catalogue())
            return
        turn.result.agent = REFLEX
        if decision.kind is Kind.ASK:
            self._asked[turn.request.session_id] = (turn.request.text, decision)
            turn.reply(decision.question)
            await dialogue.remember(turn)
            return
        if decision.stops:
            turn.reply(phrases.STOPPED)
        actions = decision.actions[1:] if decision.stops else decision.actions
        done = await act(turn, tools, actions, decision.wants_description) if actions else ""
        if decision.remainder and done is not None:
            turn.end_sentence()
            turn.reply(" ")
            await self._answer(turn, tools, f"{turn.request.text}\n[Already done by reflex: {done}]")
        else:
            await dialogue.remember(turn)

    async def _answer(self, turn: Turn, tools: TurnTools, message: str) -> None:
        await self._parts.dialogue.answer(turn, message, tools, self._parts.gate.catalogue())


def _call(action: Action, turn_id: uuid.UUID, session_id: str) -> Call:
    return Call(action.tool, action.arguments_json, session_id, turn_id, REFLEX)
