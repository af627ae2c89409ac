"""From what is heard to turns: who is meant, what may begin at once, what goes on, and who has the word."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from reachy_agent_ros.agent.conversation.attention import Attention
from reachy_agent_ros.agent.conversation.conversation import Conversation
from reachy_agent_ros.agent.conversation.turn_request import PendingActions, TurnRequest, TurnResult, TurnSource
from reachy_agent_ros.agent.permissions.principal import UNKNOWN, Principal
from reachy_agent_ros.agent.sessions.session_store import DEFAULT_SESSION
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.decision import Action, Decision

_log = logging.getLogger(__name__)

T = TypeVar("T")

CLIENTS_KEPT = 64
"""Clients that hung up latest. What they said is understood within seconds."""

DECISIONS_KEPT = 16
"""Latest texts whose decisions are kept: more than a few people who speak at once say before their final texts."""


@dataclass(frozen=True)
class Understood:
    """What of `reachy_agent_msgs/Transcript` a turn depends on.

    Attributes:
        text: What was said, or with `rejected` seems to have been.
        utterance_id: Same in everything said of one utterance.
        replaces: The utterance before, where this one goes on with it and holds its words too.
        began: Wall clock, seconds since the epoch.
        ended: Wall clock of its last sound, seconds since the epoch.
        rejected: Whether it is not to be believed.
        principal: Who spoke, as far as it is known.
        client: Id of the gateway's client who spoke, empty if it was none.
    """

    text: str
    utterance_id: uuid.UUID
    replaces: uuid.UUID | None
    began: float
    ended: float
    rejected: bool = False
    principal: Principal = UNKNOWN
    client: str = ""


@dataclass
class _Utterance:
    """The latest utterance that was meant for the robot."""

    utterance_id: uuid.UUID
    deeds: PendingActions = field(default_factory=PendingActions)
    turn: asyncio.Task[TurnResult] | None = None
    stopped: bool = False


class SpokenTurns:
    """Turns of conversation from speech. Use it in one event loop; it returns at once and lets tasks do the work.

    Args:
        conversation: Takes the turns, and begins what cannot wait for one.
        take_turn: Takes one turn to its end.
        on_ignored: Called with the id of an utterance that leads to no turn, and why.
        attention: Whether what is said is meant for the robot.
        early: Whether a command other than a stop may begin before its speaker has certainly finished.
        clock: Wall clock, seconds since the epoch.

    Attributes:
        session_id: Conversation that all of it belongs to.
    """

    def __init__(
        self,
        conversation: Conversation,
        take_turn: Callable[[TurnRequest], Coroutine[Any, Any, TurnResult]],
        on_ignored: Callable[[uuid.UUID, str], None],
        attention: Attention,
        early: bool,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._conversation = conversation
        self._take_turn = take_turn
        self._on_ignored = on_ignored
        self._attention = attention
        self._early = early
        self._clock = clock
        self.session_id = DEFAULT_SESSION
        self._latest = _Utterance(uuid.uuid4())
        self._decisions: dict[tuple[uuid.UUID, str], Decision] = {}
        self._running: dict[asyncio.Task[Any], str] = {}
        self._left: deque[str] = deque(maxlen=CLIENTS_KEPT)

    def draft(self, heard: Understood) -> None:
        """Takes the text of an utterance that pauses: a stop acts at once, and so may what can be taken back."""
        if heard.rejected:
            return
        decision = self._decide(heard)
        if decision.stops:
            self._stop(self._continued(heard))
        elif self._early and self._may_begin(decision, heard) and self._is_free_for(heard) and self._addressed(heard):
            self._start(
                self._begin(decision.actions, self._continued(heard), heard.principal.token), client=heard.client
            )

    def hear(self, heard: Understood) -> None:
        """Takes the final text of an utterance; what it asks for becomes a turn that bears the utterance's id."""
        text = None if heard.rejected else self._addressed(heard)
        if not text:
            self._ignore(heard, "its name alone" if text == "" else "not meant for the robot")
            return
        utterance = self._continued(heard)
        request = TurnRequest(
            text,
            session_id=self.session_id,
            source=TurnSource.SPOKEN,
            speak=True,
            turn_id=heard.utterance_id,
            said=heard.ended,
            principal=heard.principal,
            deeds=utterance.deeds,
            decision=self._decisions.get((heard.utterance_id, text)),
        )
        utterance.turn = self._start(self._take_turn(request), client=heard.client)
        utterance.turn.add_done_callback(lambda _turn: self.answered())

    def interrupted(self, stop: bool) -> None:
        """Somebody has begun to speak while the robot did: the turn is theirs, and with `stop` the body holds too."""
        self.answered()
        if stop:
            self._start(self._hold())
        else:
            self._conversation.interrupt()

    def listen(self, speaking: bool) -> None:
        """Takes whether a person speaks to the robot now; to be told again and again while they do."""
        self._conversation.floor.update(speaking)

    def leave(self, client: str) -> None:
        """Ends what a client of the gateway asked for, whose connection has ended; what it said last is not begun.

        Args:
            client: Its id.
        """
        if client:  # else it would be everybody who speaks in the room
            self._left.append(client)
            self._end_those_of({client})

    def lose_clients(self) -> None:
        """Ends the turns of all voice clients, because the gateway is gone."""
        self._end_those_of({client for client in self._running.values() if client})

    def answered(self) -> None:
        """The robot has said or done what it was asked for, and whoever asked may go on."""
        self._attention.answered(self._clock())

    def _addressed(self, heard: Understood) -> str | None:
        """What the robot is asked; empty where it is only called, None where it is not meant. A stop always is.

        What a client said before it hung up may be understood afterwards; it is meant no longer.
        """
        if heard.client not in self._left:
            addressed = self._attention.hear(heard.text, heard.began, self._clock())
            if addressed.addressed:
                return addressed.text
        return heard.text if self._decide(heard).stops else None

    def _decide(self, heard: Understood) -> Decision:
        """What the recognizer makes of a text. A final text often repeats its draft, and is not recognized again."""
        key = (heard.utterance_id, heard.text)
        if key not in self._decisions:
            self._decisions[key] = self._conversation.decide(heard.text)
            if len(self._decisions) > DECISIONS_KEPT:
                del self._decisions[next(iter(self._decisions))]
        return self._decisions[key]

    def _stop(self, utterance: _Utterance) -> None:
        if not utterance.stopped:
            utterance.stopped = True
            self._start(self._hold())

    async def _hold(self) -> None:
        try:
            await self._conversation.stop()
        except AgentError as error:
            _log.warning("Not held: %s", error)

    def _ignore(self, heard: Understood, reason: str) -> None:
        if self._latest.utterance_id == heard.utterance_id:
            self._start(self._latest.deeds.end())
        if not heard.rejected:
            self._on_ignored(heard.utterance_id, reason)

    def _continued(self, heard: Understood) -> _Utterance:
        """The utterance with what was begun of it; the turn of the one it goes on with is over."""
        before = self._latest
        if before.utterance_id == heard.utterance_id:
            return before
        self._latest = _Utterance(heard.utterance_id)
        if before.utterance_id == heard.replaces:
            self._latest.deeds = before.deeds.hand_over()
            if before.turn is not None:
                before.turn.cancel()
        return self._latest

    def _may_begin(self, decision: Decision, heard: Understood) -> bool:
        return self._conversation.may_begin(decision, heard.utterance_id, self.session_id, heard.principal.token)

    def _is_free_for(self, heard: Understood) -> bool:
        """Whether nothing else is being done, but what the utterance goes on with."""
        return not self._conversation.busy or self._latest.utterance_id in (heard.utterance_id, heard.replaces)

    async def _begin(self, actions: Sequence[Action], utterance: _Utterance, asked_by: str) -> None:
        """Acts up to the first failure; the turn that follows tells what came of it."""
        for index, action in enumerate(actions):
            call = partial(self._conversation.begin, action, utterance.utterance_id, self.session_id, asked_by)
            if (await utterance.deeds.outcome(index, action, call)).error is not None:
                return

    def _start(self, work: Coroutine[Any, Any, T], client: str = "") -> asyncio.Task[T]:
        """Starts a task and keeps it: the event loop alone would let go of it."""
        task = asyncio.create_task(work)
        self._running[task] = client
        task.add_done_callback(self._forget)
        return task

    def _end_those_of(self, clients: set[str]) -> None:
        """Cancels their turns, also those that wait for a person."""
        for task, client in self._running.copy().items():
            if client in clients:
                task.cancel()

    def _forget(self, task: asyncio.Task[Any]) -> None:
        del self._running[task]
        if not task.cancelled() and task.exception() is not None:
            _log.error("A spoken turn failed", exc_info=task.exception())
