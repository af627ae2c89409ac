"""Output of the graph's events, one per line: speech, decisions, actions and replies."""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from rclpy.node import Node
from reachy_agent_msgs.msg import BargeIn, Reply, RobotState, SpeakingState, SpeechActivity, Transcript, TurnTrace
from unique_identifier_msgs.msg import UUID

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import rpy_from_matrix
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, transform_from_pose, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD

REJECTIONS = {
    Transcript.REJECTED_NOISE: "taken for noise",
    Transcript.REJECTED_EMPTY: "empty",
    Transcript.REJECTED_REPETITION: "a repetition",
}

ACTIVITIES = {
    RobotState.IDLE: "rests",
    RobotState.MOVING: "moves",
    RobotState.STREAMING: "follows",
    RobotState.HOLDING: "holds",
    RobotState.STOPPED: "is stopped",
}

HEARING = (SpeechActivity.LISTENING, SpeechActivity.ENDPOINTING, SpeechActivity.TRANSCRIBING)
"""Speech activity states in which another transcript may still follow."""

STAGES = {
    BargeIn.SUSPECTED: "suspected: the robot lowers its voice",
    BargeIn.CONFIRMED: "confirmed: the robot stops speaking",
    BargeIn.DISMISSED: "dismissed: the robot continues",
}

SPANS = {
    TurnTrace.HEARING: "ignored",
    TurnTrace.REFLEX: "decided",
    TurnTrace.MODEL: "thought",
    TurnTrace.TOOL: "called",
    TurnTrace.HANDOFF: "handed to",
    TurnTrace.GUARDRAIL: "checked",
}
"""Labels of the kinds of spans that are printed."""


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


class GraphPrinter:
    """Prints the events of a running graph, one per line.

    Args:
        node: Node in the graph's namespace, spun by another thread.
        say: Called with one line at a time, in that thread.


    Attributes:
        speaking: Whether the robot is speaking.
        hearing: Whether speech is being heard or transcribed.
        rejected: Whether a transcript was rejected.
        last_idle: Time of the last report that no speech is heard, s on the steady clock.
        last_event: Time of the last transcript or of the last progress of a turn, s on the steady clock.
    """

    def __init__(self, node: Node, say: Callable[[str], None]) -> None:
        self._say = say
        self._turns: dict[uuid.UUID, HeardTurn] = {}
        self._activity: int | None = None
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
            node.create_subscription(RobotState, names.ROBOT_STATE, self._on_robot, LATCHED),
            node.create_subscription(SpeakingState, names.SPEAKING_STATE, self._on_speaking, LATCHED),
        ]

    @property
    def turns(self) -> list[HeardTurn]:
        """Turns of all sentences that the robot has heard, oldest first."""
        return [turn for turn in self._turns.values() if turn.heard]

    @property
    def settled(self) -> bool:
        """Whether the robot has heard at least one sentence and answered all of them, and hears no speech.

        On a slow machine, the wake name and the request after it may arrive as two transcripts.
        """
        return not self.hearing and bool(self.turns) and all(turn.ended for turn in self.turns)

    def _on_transcript(self, message: Transcript) -> None:
        if not message.is_final:
            return
        self.last_event = time.monotonic()
        if message.rejected:
            self.rejected = True
        else:
            self._turn(message.utterance_id).heard = True
            replaced = self._turns.get(uuid_from_message(message.replaces))
            if replaced is not None:
                replaced.cancelled = True
        verdict = f", {REJECTIONS[message.rejected]}" if message.rejected else ""
        self._say(f'heard     "{message.text}" (confidence {message.confidence:.2f}{verdict})')

    def _turn(self, turn_id: UUID) -> HeardTurn:
        return self._turns.setdefault(uuid_from_message(turn_id), HeardTurn())

    def _on_activity(self, message: SpeechActivity) -> None:
        self.hearing = message.state in HEARING
        if not self.hearing:
            self.last_idle = time.monotonic()

    def _on_barge_in(self, message: BargeIn) -> None:
        if message.stage == BargeIn.CONFIRMED:
            for turn in self._turns.values():
                turn.cancelled = True
        self._say(f"interrupt {STAGES[message.stage]}")

    def _on_trace(self, span: TurnTrace) -> None:
        if span.kind == TurnTrace.HEARING and span.span > 0:  # printed as a transcript
            return
        turn = self._turn(span.turn_id)
        if span.kind == TurnTrace.HEARING:
            turn.clauses, turn.error = 0, f"Heard, but {span.summary}."
        if span.kind == TurnTrace.SPEECH:
            turn.spoken += 1
            self.last_event = time.monotonic()
        if span.kind not in SPANS:
            return
        detail = span.error_msg or span.summary
        told = " ".join(filter(None, (span.name, span.arguments_json, detail)))
        self._say(f"{SPANS[span.kind]:<9} {told} ({seconds_of(span.duration) * 1e3:.0f} ms)")

    def _on_reply(self, reply: Reply) -> None:
        if not reply.is_final:
            return
        turn = self._turn(reply.turn_id)
        turn.clauses, turn.error = reply.sequence, reply.error_msg
        turn.cancelled |= reply.error_code == ErrorCode.CANCELED
        self.last_event = time.monotonic()
        failure = f" [{reply.error_msg}]" if reply.error_code else ""
        self._say(f'answered  "{reply.text}"{failure}')

    def _on_robot(self, state: RobotState) -> None:
        if state.activity == self._activity:
            return
        self._activity = state.activity
        angles = (*rpy_from_matrix(transform_from_pose(state.head_pose)), state.body_yaw)
        roll, pitch, yaw, body = (round(math.degrees(angle)) for angle in angles)
        head = f"head roll {roll}, pitch {pitch}, yaw {yaw} deg"
        self._say(f"robot     {ACTIVITIES[state.activity]}: {head}, body {body} deg")

    def _on_speaking(self, state: SpeakingState) -> None:
        self.speaking = state.speaking
