"""Log of what a running graph recognizes, decides and says in a conversation."""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Callable

from reachy_agent_msgs.msg import Attention, BargeIn, Reply, RobotState, SpeakingState, Transcript, TurnTrace

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.client.graph_printer import GraphPrinter
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD


class DialogueLog:
    """Log that records events from its construction and prints them to standard error.

    Args:
        client: Client in the graph.

    Attributes:
        speaking: Whether the robot speaks.
        moving: Whether the robot moves.
        attentive: Whether the robot responds without its name.
        heard: IDs of utterances since `begin` that were accepted and not replaced.
        replies: Complete replies since `begin`, by turn; empty for an utterance not addressed to the robot.
        interruptions: Stages of interruptions since `begin`.
        last_event: Time of the last message about recognition, a turn, interruption or speech by the steady clock, s.
    """

    def __init__(self, client: GraphClient) -> None:
        self.speaking = self.moving = self.attentive = False
        self._began = time.monotonic()
        self.begin()
        subscribe = client.node.create_subscription
        subscribe(Transcript, names.TRANSCRIPT, self._noting(self._hear), STANDARD)
        subscribe(TurnTrace, names.TURN_TRACE, self._noting(self._trace), STANDARD)
        subscribe(Reply, names.REPLY, self._noting(self._reply), STANDARD)
        subscribe(BargeIn, names.BARGE_IN, self._noting(self._interrupt), STANDARD)
        subscribe(SpeakingState, names.SPEAKING_STATE, self._noting(self._speak), LATCHED)
        subscribe(Attention, names.ATTENTION, self._attend, LATCHED)
        subscribe(RobotState, names.ROBOT_STATE, self._move, LATCHED)
        self._narrator = GraphPrinter(client.node, self.tell)

    def begin(self) -> None:
        """Clears the records for the next line."""
        self.heard: list[uuid.UUID] = []
        self.replies: dict[uuid.UUID, str] = {}
        self.interruptions: list[int] = []
        self._calls: list[tuple[uuid.UUID, str]] = []
        self.last_event = time.monotonic()

    @property
    def called(self) -> list[str]:
        """Tools of the turns in `heard` in the order of their ends, with a "!" for failed and canceled tools."""
        return [name for turn, name in self._calls if turn in self.heard]

    @property
    def busy(self) -> bool:
        """Whether the robot is still speaking, or has not answered an utterance yet."""
        return self.speaking or not self.replies.keys() >= set(self.heard)

    def tell(self, line: str) -> None:
        """Adds a line to the log."""
        print(f"{time.monotonic() - self._began:7.2f} s  {line}", file=sys.stderr, flush=True)

    def _noting(self, callback: Callable[[object], None]) -> Callable[[object], None]:
        def noted(message: object) -> None:
            self.last_event = time.monotonic()
            callback(message)

        return noted

    def _hear(self, message: Transcript) -> None:
        if message.is_final and not message.rejected:
            self.heard = [one for one in self.heard if one != uuid_from_message(message.replaces)]
            self.heard.append(uuid_from_message(message.utterance_id))

    def _trace(self, span: TurnTrace) -> None:
        if span.kind == TurnTrace.HEARING and span.span == 0:
            self.replies[uuid_from_message(span.turn_id)] = ""
        if span.kind == TurnTrace.TOOL:
            self._calls.append((uuid_from_message(span.turn_id), span.name + "!" * bool(span.error_code)))

    def _reply(self, message: Reply) -> None:
        if message.is_final:
            self.replies[uuid_from_message(message.turn_id)] = message.text

    def _interrupt(self, message: BargeIn) -> None:
        self.interruptions.append(message.stage)

    def _speak(self, state: SpeakingState) -> None:
        self.speaking = state.speaking

    def _attend(self, state: Attention) -> None:
        self.attentive = state.opened_by != Attention.CLOSED

    def _move(self, state: RobotState) -> None:
        self.moving = state.activity == RobotState.MOVING
