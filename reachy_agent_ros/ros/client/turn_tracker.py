"""Tracking of spoken turns from the graph's topics: whether the robot has answered what it has heard."""

from __future__ import annotations

import math
import threading
import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass, replace

from rclpy.node import Node
from reachy_agent_msgs.msg import BargeIn, Reply, SpeakingState, SpeechActivity, Transcript, TurnTrace
from unique_identifier_msgs.msg import UUID

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD

_HEARING = (SpeechActivity.LISTENING, SpeechActivity.ENDPOINTING, SpeechActivity.TRANSCRIBING)
"""Speech activity states in which another transcript may still follow."""

_KEPT = 100
"""Maximum number of tracked turns."""


@dataclass
class HeardTurn:
    """State of a turn. Messages of the turn may arrive before its transcript, because they are on other topics.

    Attributes:
        heard: Whether the transcript has arrived; a typed turn has none.
        clauses: Number of clauses of the reply; None until the reply is complete.
        spoken: Number of clauses whose speech has ended or failed.
        error: Reason for the failure; empty for success.
        cancelled: Whether the turn was stopped or interrupted, so that no further clause will be spoken.
    """

    heard: bool = False
    clauses: int | None = None
    spoken: int = 0
    error: str = ""
    cancelled: bool = False

    @property
    def ended(self) -> bool:
        """Whether the reply is complete and has been spoken."""
        return self.clauses is not None and (self.cancelled or self.spoken >= self.clauses)


class TurnTracker:
    """Tracks the latest turns from recognition to the end of the spoken reply. Thread-safe.

    Args:
        node: Node in the graph's namespace, spun by another thread.

    Attributes:
        speaking: Whether the robot is speaking.
        hearing: Whether speech is being heard or transcribed.
        rejected: Whether a transcript was rejected.
        last_idle: Time of the last report that no speech is heard, s on the steady clock.
        last_event: Time of the last transcript or of the last progress of a turn, s on the steady clock.
    """

    def __init__(self, node: Node) -> None:
        self._lock = threading.Lock()
        self._turns: OrderedDict[uuid.UUID, HeardTurn] = OrderedDict()
        self.speaking = False
        self.hearing = False
        self.rejected = False
        self.last_idle = -math.inf
        self.last_event = time.monotonic()
        self._subscriptions = [
            node.create_subscription(Transcript, names.TRANSCRIPT, self._on_transcript, STANDARD),
            node.create_subscription(SpeechActivity, names.SPEECH_ACTIVITY, self._on_activity, STANDARD),
            node.create_subscription(BargeIn, names.BARGE_IN, self._on_barge_in, STANDARD),
            node.create_subscription(TurnTrace, names.TURN_TRACE, self._on_trace, STANDARD),
            node.create_subscription(Reply, names.REPLY, self._on_reply, STANDARD),
            node.create_subscription(SpeakingState, names.SPEAKING_STATE, self._on_speaking, LATCHED),
        ]

    @property
    def turns(self) -> list[HeardTurn]:
        """Copies of the latest turns whose sentences the robot has heard, oldest first."""
        with self._lock:
            return [replace(turn) for turn in self._turns.values() if turn.heard]

    @property
    def settled(self) -> bool:
        """Whether the robot has heard at least one sentence and answered all of them, and hears no speech.

        On a slow machine, the wake name and the request after it may arrive as two transcripts.
        """
        turns = self.turns
        return not self.hearing and bool(turns) and all(turn.ended for turn in turns)

    def _turn(self, turn_id: UUID) -> HeardTurn:
        turn = self._turns.setdefault(uuid_from_message(turn_id), HeardTurn())
        if len(self._turns) > _KEPT:
            self._turns.popitem(last=False)
        return turn

    def _on_transcript(self, message: Transcript) -> None:
        if not message.is_final:
            return
        self.last_event = time.monotonic()
        if message.rejected:
            self.rejected = True
            return
        with self._lock:
            self._turn(message.utterance_id).heard = True
            replaced = self._turns.get(uuid_from_message(message.replaces))
            if replaced is not None:
                replaced.cancelled = True

    def _on_activity(self, message: SpeechActivity) -> None:
        self.hearing = message.state in _HEARING
        if not self.hearing:
            self.last_idle = time.monotonic()

    def _on_barge_in(self, message: BargeIn) -> None:
        if message.stage != BargeIn.CONFIRMED:
            return
        with self._lock:
            for turn in self._turns.values():
                turn.cancelled = True

    def _on_trace(self, span: TurnTrace) -> None:
        if span.kind == TurnTrace.HEARING and span.span == 0:  # later ones belong to an accepted sentence
            with self._lock:
                turn = self._turn(span.turn_id)
                turn.clauses, turn.error = 0, f"Heard, but {span.summary}."
        elif span.kind == TurnTrace.SPEECH:
            with self._lock:
                self._turn(span.turn_id).spoken += 1
            self.last_event = time.monotonic()

    def _on_reply(self, reply: Reply) -> None:
        if not reply.is_final:
            return
        with self._lock:
            turn = self._turn(reply.turn_id)
            turn.clauses, turn.error = reply.sequence, reply.error_msg
            turn.cancelled |= reply.error_code == ErrorCode.CANCELED
        self.last_event = time.monotonic()

    def _on_speaking(self, state: SpeakingState) -> None:
        self.speaking = state.speaking
