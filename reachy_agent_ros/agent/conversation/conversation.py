"""Runs conversation turns one at a time. Handles stops and answers to approval questions immediately."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, cast

from reachy_agent_ros.agent.conversation.conversation_parts import Bounds as Bounds
from reachy_agent_ros.agent.conversation.conversation_parts import Observe, Parts, Publish
from reachy_agent_ros.agent.conversation.questions import Questions
from reachy_agent_ros.agent.conversation.responder import Responder
from reachy_agent_ros.agent.conversation.turn import (
    AgentStarted,
    Event,
    Queued,
    SpokenClause,
    ToolEnded,
    ToolStarted,
    Turn,
)
from reachy_agent_ros.agent.conversation.turn_request import SavedTurn, TurnRequest, TurnResult
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX, TurnTools
from reachy_agent_ros.agent.conversation.voice import TurnTaking, TurnVoice
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.permissions import Call
from reachy_agent_ros.agent.provenance.label import written
from reachy_agent_ros.agent.traces.trace import SpanKind, Trace
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action, Decision, DecisionKind
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

_FAULTS = (ErrorCode.STORAGE_FAILED, ErrorCode.INTERNAL, ErrorCode.MODEL_UNAVAILABLE, ErrorCode.MODEL_FAILED)
"""Errors whose cause may also affect the next turn."""

IDLE_PATIENCE = 60.0
"""Time that an announcement that can wait lets running turns and their speech finish, s."""

MAX_WAITING = 4
"""Maximum number of turns that wait for the running turn. An answer that comes a minute late is useless."""


class Conversation:
    """Runs the turns of all conversations, one at a time. Not thread-safe: use from one event loop.

    Args:
        parts: Components of the conversation.
        bounds: Limits of a turn.

    Attributes:
        floor: Turn-taking between the robot and people who speak.
    """

    def __init__(self, parts: Parts, bounds: Bounds) -> None:
        self.floor = TurnTaking()
        self._parts = parts
        self._bounds = bounds
        self._closing = False
        self._voice = TurnVoice(parts.surroundings, self.floor, parts.voice)
        self._queue = TurnQueue(parts.status.waits)
        self._questions = Questions(parts.approvals, parts.executor)
        self._responder = Responder(
            parts.reflexes, parts.dialogue, parts.executor, parts.robot_name, parts.has_own_style, parts.repetition
        )

    @property
    def busy(self) -> bool:
        """Whether a turn is running or waiting."""
        return self._queue.busy

    async def converse(self, request: TurnRequest, observe: Observe, publish: Publish) -> TurnResult:
        """Runs one turn to its end. Cancelling the task ends the turn with the error `CANCELED` in its result.

        Args:
            request: Request of the turn.
            observe: Callback for the turn's events.
            publish: Callback for the turn's spans.

        Returns:
            Result of the turn. An `AgentError` is stored in the result, not raised.
        """
        turn = self._turn(request, observe, publish)
        waited = 0.0 if request.said is None else max(0.0, time.time() - request.said)
        turn.trace.heard(request.text, request.source.name.lower(), waited)
        return await self._whole(turn, self._take(turn))

    async def resume(
        self,
        pending: PendingApproval,
        saved: SavedTurn,
        prepared: Callable[[], Awaitable[object]],
        observe: Observe,
        publish: Publish,
    ) -> TurnResult:
        """Resumes a turn that was waiting for approval when the previous process ended; see `converse`.

        Args:
            pending: Approval that the turn is waiting for.
            saved: Stored state of the turn.
            prepared: Awaited once there is an answer, before the turn continues.
            observe: Callback for the turn's events.
            publish: Callback for the turn's spans.
        """
        turn = self._turn(saved.request, observe, publish)
        return await self._whole(turn, self._go_on(turn, pending, saved, prepared))

    def decide(self, text: str) -> Decision:
        """Returns the intent recognizer's decision for a sentence."""
        return self._responder.reflex(text)

    def may_begin(self, decision: Decision, turn_id: uuid.UUID, session_id: str, asked_by: str = "") -> bool:
        """Returns whether the actions of an unfinished sentence may begin. All must be reversible and need no approval.

        Args:
            decision: Decision for the sentence so far.
            turn_id: Turn that the sentence will become.
            session_id: Conversation that the sentence belongs to.
            asked_by: Name of the speaker's token, empty if none.
        """
        free = {tool.name for tool in self._parts.executor.catalogue() if tool.reversible}
        return decision.kind is DecisionKind.ACT and all(
            action.tool in free
            and self._parts.executor.allows(action.tool)
            and not self._parts.executor.enforcement.must_ask(_call(action, turn_id, session_id, asked_by))
            for action in decision.actions
        )

    async def begin(self, action: Action, turn_id: uuid.UUID, session_id: str, asked_by: str = "") -> ToolOutcome:
        """Starts an action before the sentence is finished. See `may_begin` for the arguments."""
        return await self._parts.executor.call(_call(action, turn_id, session_id, asked_by))

    async def announce(self, text: str) -> None:
        """Speaks a text that belongs to no turn, after the person who speaks has finished. Does not interrupt a turn.

        Raises:
            AgentError: The text was not spoken.
        """
        self._responder.note_announcement(text)
        await self._voice.announce(text)

    async def announce_when_idle(self, text: str) -> None:
        """Speaks a text like `announce`, but after the running and waiting turns have ended and were spoken.

        Raises:
            AgentError: The text was not spoken.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(IDLE_PATIENCE):
                await self._queue.idle()
                await self._voice.spoken()
        await self.announce(text)

    def interrupt(self) -> None:
        """Stops speaking and cancels the running and waiting turns because a person has begun to speak.

        Cancels nothing while the running turn waits for approval: the speech may be the answer.
        """
        self._voice.silence()
        asking = {pending.turn_id for pending in self._parts.approvals.waiting()}
        if self._parts.status.status.turn_id not in asking:
            self._queue.cancel_others()

    async def stop(self, who: str, how: str, turn_id: uuid.UUID | None = None) -> None:
        """Stops the robot's motion and speech. Cancels all turns except the turn that calls this method.

        Args:
            who: Name of the person for the audit log; empty if unknown.
            how: Way of the stop for the audit log.
            turn_id: Turn or utterance that asks for the stop.

        Raises:
            AgentError: The robot did not accept the command to hold. `end_all` has been called nevertheless.
        """
        hold = asyncio.ensure_future(self._parts.surroundings.hold())
        self.end_all()
        try:
            await hold
        finally:
            self._parts.record_stop(who, how, "" if turn_id is None else str(turn_id))

    def end_all(self) -> None:
        """Stops speech. Cancels pending approvals, other programs' tool calls, and all turns except the calling one.

        Unlike `interrupt`, this includes turns that wait for approval: stopping the robot counts as a denial.
        """
        self._responder.halted = True
        self._voice.silence()
        self._queue.cancel_others()
        self._parts.executor.enforcement.withdraw_all()
        self._parts.stopped()

    async def close(self) -> None:
        """Stops speaking, cancels all turns, and waits until they have ended and learned phrasings are on disk."""
        self._closing = True
        self._voice.silence()
        await self._queue.close()
        await self._responder.close()

    def _turn(self, request: TurnRequest, observe: Observe, publish: Publish) -> Turn:
        trace = Trace(publish)

        def watch(event: Event) -> None:
            observe(event)
            if request.speak and isinstance(event, SpokenClause):
                self._voice.say(event.text, request.turn_id, trace)
            elif isinstance(event, AgentStarted):
                self._parts.status.works(request.turn_id, event.agent)

        return Turn(request, trace, watch)

    async def _whole(self, turn: Turn, work: Coroutine[Any, Any, None]) -> TurnResult:
        result = turn.result
        span = turn.trace.open(SpanKind.TURN, turn.request.source.name.lower())
        try:
            await work
            turn.end_sentence()
        except AgentError as error:
            result.error = error
            turn.add(error.message)
        except asyncio.CancelledError:  # a person may be speaking, so the rest of the sentence is not spoken
            result.error = AgentError(ErrorCode.CANCELED, "The turn was canceled.")
        await turn.request.deeds.end()
        span.summary, span.error = result.reply, result.error
        turn.trace.close(span)
        result.elapsed = span.duration
        return result

    async def _take(self, turn: Turn) -> None:
        if not turn.request.text.strip():
            raise AgentError(ErrorCode.INVALID_GOAL, "The message has no text to answer.")
        if turn.request.order is not None:  # a program requested it: neither an answer to a question nor a command
            async with self._running(turn) as tools:
                await self._parts.dialogue.answer(turn, turn.request.text, tools)
            return
        if self._questions.are_refused_by(turn) and await self._questions.answered_by(turn):
            return
        decision = await self._responder.decide_when_warm(turn)
        if decision.stops:
            await self._stop(turn, decision.actions[0].tool)
        elif await self._questions.answered_by(turn):
            return
        elif decision.steers and self.busy:  # a change of pace concerns the motion of the running turn
            await self._responder.respond(turn, TurnTools(turn, self._parts.executor), decision)
            return
        async with self._running(turn) as tools:
            await self._responder.respond(turn, tools, decision)

    async def _go_on(
        self, turn: Turn, pending: PendingApproval, saved: SavedTurn, prepared: Callable[[], Awaitable[object]]
    ) -> None:
        async with self._running(turn, pending.requester) as tools:
            tools.go_on(saved)
            answer: uuid.UUID | AgentError
            try:
                answer = await self._parts.executor.enforcement.resume(pending)
            except AgentError as error:
                answer = error
            await prepared()
            await self._parts.dialogue.resume(turn, tools, saved, pending, answer)

    @asynccontextmanager
    async def _running(self, turn: Turn, agent: str = REFLEX) -> AsyncIterator[TurnTools]:
        """Waits in the queue, then yields the tools of the turn within its time limit. On exit, ends the actions."""
        parts, request, result = self._parts, turn.request, turn.result
        seconds = request.time_allowance or self._bounds.seconds
        tools = TurnTools(turn, parts.executor, partial(self._responder.tools_asked_for, turn))
        async with self._queue.admitted(request.wait, lambda ahead: turn.observe(Queued(ahead))):
            self._voice.silence()
            parts.status.works(request.turn_id, agent)
            try:
                async with asyncio.timeout(seconds):
                    await parts.began(request)
                    yield tools
            except TimeoutError:
                message = f"The turn exceeded its time limit of {seconds:g} s."
                raise AgentError(ErrorCode.BUDGET_EXCEEDED, message) from None
            except AgentError as error:
                result.error = error
                raise
            except asyncio.CancelledError:
                self._voice.silence()
                if not self._closing:  # otherwise the next process may resume it
                    with contextlib.suppress(AgentError):
                        await parts.dialogue.remember(turn, interrupted=True)
                raise
            finally:
                await request.deeds.end()
                parts.status.rests(self._fault(result.error))
            parts.ended(request, result, tools.calls, written(tools.provenance.context.labels))

    def _fault(self, error: AgentError | None) -> str:
        """Returns the message of an error that may also affect the next turn; empty for all other errors."""
        if error is None or error.code not in _FAULTS:
            return ""
        is_missing = error.code is ErrorCode.MODEL_UNAVAILABLE and not self._parts.dialogue.has_model
        return "" if is_missing else error.message  # to use no model is a choice, not a fault

    async def _stop(self, turn: Turn, tool: str) -> None:
        """Stops everything, as the tool `stop` or `pause`."""
        turn.result.tools_called.append(tool)
        turn.result.agent = REFLEX
        turn.observe(ToolStarted(tool, "{}"))
        outcome = ToolOutcome("{}")
        try:
            with turn.trace.span(SpanKind.TOOL, tool):
                request = turn.request
                await self.stop(request.principal.name, f"{request.source.name.lower()} words", request.turn_id)
        except AgentError as error:
            outcome = ToolOutcome("{}", error)
            raise
        finally:
            turn.observe(ToolEnded(tool, outcome))


def _call(action: Action, turn_id: uuid.UUID, session_id: str, asked_by: str) -> Call:
    return Call(action.tool, action.arguments_json, session_id, turn_id, REFLEX, asked_by=asked_by)


class TurnQueue:
    """Queue that runs one turn at a time. Not thread-safe: use from one event loop, with one task for each turn.

    Args:
        on_change: Called with the number of waiting turns whenever it may have changed.
    """

    def __init__(self, on_change: Callable[[int], None] = lambda _waiting: None) -> None:
        self._on_change = on_change
        self._one_at_a_time = asyncio.Lock()
        self._turns: set[asyncio.Task[object]] = set()

    @property
    def busy(self) -> bool:
        """Whether a turn is running or waiting."""
        return bool(self._turns)

    async def idle(self) -> None:
        """Waits until no turn is running or waiting."""
        while self.busy:
            async with self._one_at_a_time:  # turns that have waited longer run first
                pass

    @asynccontextmanager
    async def admitted(self, wait: bool, on_wait: Callable[[int], None] = lambda _ahead: None) -> AsyncIterator[None]:
        """Waits until no other turn is running.

        Args:
            wait: Whether to wait for running turns. If not, the turn is rejected.
            on_wait: Called once with the number of turns ahead, if there are any.

        Raises:
            AgentError: `TURN_IN_PROGRESS`: another turn is running and `wait` is false, or `MAX_WAITING` turns are
                waiting.
        """
        lasting = [turn for turn in self._turns if not turn.cancelling()]  # cancelled turns are about to end
        if lasting and (not wait or len(lasting) > MAX_WAITING):
            raise AgentError(ErrorCode.TURN_IN_PROGRESS, "Another turn is running.")
        task = _this_task()
        self._turns.add(task)
        self._on_change(len(self._turns) - 1)
        if lasting:
            on_wait(len(lasting))
        try:
            async with self._one_at_a_time:
                yield
        finally:
            self._turns.discard(task)
            self._on_change(max(0, len(self._turns) - 1))

    def cancel_others(self) -> None:
        """Cancels every running or waiting turn except the turn that calls this method."""
        for task in self._turns - {_this_task()}:
            task.cancel()

    async def close(self) -> None:
        """Cancels all turns except the calling one, and waits until they have ended."""
        self.cancel_others()
        if others := self._turns - {_this_task()}:
            await asyncio.wait(others)


def _this_task() -> asyncio.Task[object]:
    return cast("asyncio.Task[object]", asyncio.current_task())
