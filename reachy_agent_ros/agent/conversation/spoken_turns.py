"""Starts conversation turns from speech: attention, early actions, continued utterances and interruptions."""

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
"""Number of remembered clients that have disconnected. Transcripts of their last speech arrive within seconds."""

DECISIONS_KEPT = 16
"""Number of cached decisions: enough for a few people who speak at the same time, from draft to final text."""


@dataclass(frozen=True)
class Understood:
    """Fields of a `reachy_agent_msgs/Transcript` that a turn depends on.

    Attributes:
        text: Transcript; unreliable if `rejected`.
        utterance_id: Id that is shared by the drafts and the final text of one utterance.
        replaces: Id of the previous utterance if this one continues it; `text` then includes the words of both.
        began: Wall clock time of the start, seconds since the epoch.
        ended: Wall clock time of the last sound, seconds since the epoch.
        rejected: Whether the transcript is unreliable and must be ignored.
        principal: Speaker, as far as known.
        client: Id of the gateway client that sent the audio, empty for the robot's own microphones.
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
    """Latest utterance that was addressed to the robot."""

    utterance_id: uuid.UUID
    deeds: PendingActions = field(default_factory=PendingActions)
    turn: asyncio.Task[TurnResult] | None = None
    stopped: bool = False


class SpokenTurns:
    """Starts a conversation turn for each transcript, in its own task. Not thread-safe: use from one event loop.

    Args:
        conversation: Recognizes, begins and stops actions outside a turn.
        take_turn: Runs one turn to its end.
        on_ignored: Called with the id of an utterance that leads to no turn, and the reason; not called if the
            transcript is rejected as unreliable.
        attention: Decides whether speech is addressed to the robot.
        early: Whether a command other than a stop may begin before it is certain that the speaker has finished.
        clock: Wall clock, seconds since the epoch.

    Attributes:
        session_id: Conversation of all spoken turns.
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
        """Handles the draft transcript at a pause: executes a stop at once, and may begin reversible actions."""
        if heard.rejected:
            return
        decision = self._decide(heard)
        if decision.stops:
            self._stop(self._continued(heard), heard.principal)
        elif self._early and self._may_begin(decision, heard) and self._is_free_for(heard) and self._addressed(heard):
            self._start(
                self._begin(decision.actions, self._continued(heard), heard.principal.token), client=heard.client
            )

    def hear(self, heard: Understood) -> None:
        """Handles the final transcript of an utterance. Starts a turn with the same id if the robot is addressed."""
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
        """Handles an interruption by a person: cancels the robot's turn and, if `stop` is set, the robot's motion."""
        self.answered()
        if stop:
            self._start(self._hold(UNKNOWN, "word over the robot's voice"))
        else:
            self._conversation.interrupt()

    def listen(self, speaking: bool) -> None:
        """Reports whether a person is speaking to the robot. Call it repeatedly while the person speaks."""
        self._conversation.floor.update(speaking)

    def leave(self, client: str) -> None:
        """Cancels the turns of a gateway client that has disconnected, and ignores its late transcripts.

        Args:
            client: Id of the client.
        """
        if client:  # the empty id stands for everybody who speaks in the room
            self._left.append(client)
            self._end_those_of({client})

    def lose_clients(self) -> None:
        """Cancels the turns of all voice clients because the gateway is no longer running."""
        self._end_those_of({client for client in self._running.values() if client})

    def answered(self) -> None:
        """Opens the dialogue window after the robot has answered or acted."""
        self._attention.answered(self._clock())

    def _addressed(self, heard: Understood) -> str | None:
        """Returns the text without the robot's name, or None if the text is not addressed to the robot.

        A stop is always addressed to the robot. Other late transcripts of a disconnected client never are.
        """
        if heard.client not in self._left:
            addressed = self._attention.hear(heard.text, heard.began, self._clock())
            if addressed.addressed:
                return addressed.text
        return heard.text if self._decide(heard).stops else None

    def _decide(self, heard: Understood) -> Decision:
        """Returns the recognizer's decision for a text. Reuses the draft's decision if the final text is the same."""
        key = (heard.utterance_id, heard.text)
        if key not in self._decisions:
            self._decisions[key] = self._conversation.decide(heard.text)
            if len(self._decisions) > DECISIONS_KEPT:
                del self._decisions[next(iter(self._decisions))]
        return self._decisions[key]

    def _stop(self, utterance: _Utterance, speaker: Principal) -> None:
        if not utterance.stopped:
            utterance.stopped = True
            self._start(self._hold(speaker, "spoken words", utterance.utterance_id))

    async def _hold(self, speaker: Principal, how: str, utterance_id: uuid.UUID | None = None) -> None:
        try:
            await self._conversation.stop(speaker.name, how, utterance_id)
        except AgentError as error:
            _log.warning("Cannot hold the robot: %s", error)

    def _ignore(self, heard: Understood, reason: str) -> None:
        if self._latest.utterance_id == heard.utterance_id:
            self._start(self._latest.deeds.end())
        if not heard.rejected:
            self._on_ignored(heard.utterance_id, reason)

    def _continued(self, heard: Understood) -> _Utterance:
        """Returns the utterance. If it continues an earlier one, takes over the actions and cancels the old turn."""
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
        """Returns whether no turn is running, apart from turns of this utterance and of the one that it continues."""
        return not self._conversation.busy or self._latest.utterance_id in (heard.utterance_id, heard.replaces)

    async def _begin(self, actions: Sequence[Action], utterance: _Utterance, asked_by: str) -> None:
        """Executes actions before the sentence is complete, until one fails. The later turn reports the results."""
        for index, action in enumerate(actions):
            call = partial(self._conversation.begin, action, utterance.utterance_id, self.session_id, asked_by)
            if (await utterance.deeds.outcome(index, action, call)).error is not None:
                return

    def _start(self, work: Coroutine[Any, Any, T], client: str = "") -> asyncio.Task[T]:
        """Starts a task and keeps a reference to it, because the event loop holds only a weak reference."""
        task = asyncio.create_task(work)
        self._running[task] = client
        task.add_done_callback(self._forget)
        return task

    def _end_those_of(self, clients: set[str]) -> None:
        """Cancels the turns of the given clients, including turns that wait for approval."""
        for task, client in self._running.copy().items():
            if client in clients:
                task.cancel()

    def _forget(self, task: asyncio.Task[Any]) -> None:
        del self._running[task]
        if not task.cancelled() and task.exception() is not None:
            _log.error("A spoken turn failed", exc_info=task.exception())
