"""Turns of conversation: the reflex first, a model next, one at a time, and a stop past all of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind import phrases
from reachy_agent_ros.mind.dialogue import Dialogue
from reachy_agent_ros.mind.events import Clause, Event
from reachy_agent_ros.mind.floor import Floor
from reachy_agent_ros.mind.model.access import ModelAccess
from reachy_agent_ros.mind.permissions.approvals import Approvals
from reachy_agent_ros.mind.reflex.clarification import choose
from reachy_agent_ros.mind.reflex.decision import Decision, Kind
from reachy_agent_ros.mind.reflex.reflex import Reflex
from reachy_agent_ros.mind.reflex.vocabulary import vocabulary_of
from reachy_agent_ros.mind.reflex_turn import REFLEX, act
from reachy_agent_ros.mind.sessions import SessionStore
from reachy_agent_ros.mind.surroundings import Surroundings
from reachy_agent_ros.mind.tools import ToolDescription
from reachy_agent_ros.mind.trace import Span, SpanKind, Trace
from reachy_agent_ros.mind.turn import Turn, TurnRequest, TurnResult
from reachy_agent_ros.mind.turn_queue import TurnQueue
from reachy_agent_ros.mind.voice import Voice


@dataclass(frozen=True)
class Bounds:
    """What one turn may use.

    Attributes:
        seconds: Time, without that spent waiting for its turn.
        tokens: Read and written by all model calls together.
    """

    seconds: float = 120.0
    tokens: int = 40_000


class Conversation:
    """The mind at work. Use it from one event loop.

    Args:
        surroundings: The world around it.
        access: The way to the model.
        sessions: Where conversations are kept.
        approvals: Where tools that need it get an approval.
        bounds: What a turn may use.

    Attributes:
        floor: Whose turn it is to speak.
    """

    def __init__(
        self,
        surroundings: Surroundings,
        access: ModelAccess,
        sessions: SessionStore,
        approvals: Approvals,
        bounds: Bounds,
    ) -> None:
        self.floor = Floor()
        self._surroundings = surroundings
        self._dialogue = Dialogue(access, sessions, approvals.time_limit, bounds.tokens)
        self._approvals = approvals
        self._bounds = bounds
        self._voice = Voice(surroundings, self.floor)
        self._queue = TurnQueue()
        self._asked: dict[str, Decision] = {}
        self._catalogue: Sequence[ToolDescription] | None = None
        self._reflex = Reflex(vocabulary_of({}))

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._queue.busy

    async def converse(
        self, request: TurnRequest, observe: Callable[[Event], None], publish: Callable[[Span], None]
    ) -> TurnResult:
        """Takes one turn to its end. Cancelling the task ends the turn, with a result that says so.

        Args:
            request: What was said.
            observe: Takes the turn's events as they come.
            publish: Takes the turn's spans as they end, speech also after the turn.

        Returns:
            How it went, always.
        """
        trace = Trace(publish)
        waited = 0.0 if request.said is None else max(0.0, time.time() - request.said)
        trace.heard(request.text, request.source.name.lower(), waited)

        def watch(event: Event) -> None:
            observe(event)
            if request.speak and isinstance(event, Clause):
                self._voice.say(event.text, request.turn_id, trace)

        turn = Turn(request, trace, watch, self._surroundings, self._approvals)
        span = trace.open(SpanKind.TURN, request.source.name.lower())
        try:
            await self._take(turn)
        except AgentError as error:
            turn.result.error = error
        except asyncio.CancelledError:
            self._voice.silence()
            turn.result.error = AgentError(ErrorCode.CANCELED, "The turn was cancelled.")
        await request.deeds.end()
        turn.end_sentence()
        span.summary, span.error = turn.result.reply, turn.result.error
        trace.close(span)
        turn.result.elapsed = span.duration
        return turn.result

    def decide(self, text: str) -> Decision:
        """What the reflex makes of a sentence."""
        catalogue = self._surroundings.catalogue()
        if catalogue is not self._catalogue:
            self._catalogue = catalogue
            self._reflex = Reflex(vocabulary_of({tool.name: tool.schema for tool in catalogue}))
        return self._reflex.decide(text)

    def interrupt(self) -> None:
        """Falls silent and ends every turn that runs or waits: somebody else has the word."""
        self._voice.silence()
        self._queue.cancel_others()

    async def stop(self) -> None:
        """Holds the robot, silences it and ends every turn that runs or waits, except the one that calls this.

        Raises:
            AgentError: The robot could not be told to hold; all the rest was done.
        """
        hold = asyncio.ensure_future(self._surroundings.hold())
        self.interrupt()
        await hold

    async def _take(self, turn: Turn) -> None:
        if not turn.request.text.strip():
            raise AgentError(ErrorCode.INVALID_GOAL, "There is no text to answer.")
        decision = self._decide(turn)
        if decision.stops:
            await self._stop(turn)
        seconds = turn.request.time_allowance or self._bounds.seconds
        async with self._queue.admitted(turn.request.wait):
            self._voice.silence()
            try:
                async with asyncio.timeout(seconds):
                    await self._follow(turn, decision)
            except TimeoutError:
                message = f"The turn took longer than the {seconds:g} s it may take."
                raise AgentError(ErrorCode.BUDGET_EXCEEDED, message) from None

    async def _stop(self, turn: Turn) -> None:
        turn.result.tools_called.append("stop")
        turn.result.agent = REFLEX
        with turn.trace.span(SpanKind.TOOL, "stop"):
            await self.stop()

    def _decide(self, turn: Turn) -> Decision:
        with turn.trace.span(SpanKind.REFLEX, REFLEX) as span:
            asked = self._asked.pop(turn.request.session_id, None)
            chosen = None if asked is None else choose(turn.request.text, asked)
            decision = chosen or self.decide(turn.request.text)
            span.summary = decision.kind.value
        return decision

    async def _follow(self, turn: Turn, decision: Decision) -> None:
        if decision.kind is not Kind.ACT:
            await turn.request.deeds.end()
        if decision.kind is Kind.DEFER:
            await self._answer(turn, turn.request.text)
            return
        turn.result.agent = REFLEX
        if decision.kind is Kind.ASK:
            self._asked[turn.request.session_id] = decision
            turn.reply(decision.question)
            await self._dialogue.remember(turn)
            return
        if decision.stops:
            turn.reply(phrases.STOPPED)
        actions = decision.actions[1:] if decision.stops else decision.actions
        done = await act(turn, actions, decision.wants_description) if actions else ""
        if decision.remainder and done is not None:
            turn.end_sentence()
            turn.reply(" ")
            await self._answer(turn, f"{turn.request.text}\n[Already done by reflex: {done}]")
        else:
            await self._dialogue.remember(turn)

    async def _answer(self, turn: Turn, message: str) -> None:
        await self._dialogue.answer(turn, message, self._surroundings.catalogue())
