"""Tells, line by line, what the graph hears, decides, does and answers."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from rclpy.node import Node
from reachy_agent_msgs.msg import Reply, RobotState, SpeakingState, Transcript, TurnTrace

from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import rpy_from_matrix
from reachy_agent_ros.nodes.convert import seconds_of, transform_from_pose
from reachy_agent_ros.nodes.qos import LATCHED, STANDARD

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

SPANS = {
    TurnTrace.REFLEX: "decided",
    TurnTrace.MODEL: "thought",
    TurnTrace.TOOL: "called",
    TurnTrace.HANDOFF: "handed to",
    TurnTrace.GUARDRAIL: "checked",
}
"""Kinds of span worth a line; the others are told by topics of their own."""


@dataclass
class Progress:
    """What has happened since the narrator began.

    Attributes:
        heard: Final transcripts that were not rejected.
        rejected: Final transcripts that were.
        answered: Finished replies.
        last_error: Of the latest finished reply; empty where it went well.
        last_voice: When the voice was last heard or the latest reply finished, s on the steady clock.
    """

    heard: int = 0
    rejected: int = 0
    answered: int = 0
    last_error: str = ""
    last_voice: float = 0.0


class Narrator:
    """Listens to one graph.

    Args:
        node: In the graph's namespace; spun by another thread.
        say: Gets one line at a time, from that thread.
    """

    def __init__(self, node: Node, say: Callable[[str], None]) -> None:
        self._say = say
        self._lock = threading.Lock()
        self._progress = Progress()
        self._speaking = False
        self._activity: int | None = None
        self._subscriptions = [
            node.create_subscription(Transcript, names.TRANSCRIPT, self._on_transcript, STANDARD),
            node.create_subscription(TurnTrace, names.TURN_TRACE, self._on_trace, STANDARD),
            node.create_subscription(Reply, names.REPLY, self._on_reply, STANDARD),
            node.create_subscription(RobotState, names.ROBOT_STATE, self._on_robot, LATCHED),
            node.create_subscription(SpeakingState, names.SPEAKING_STATE, self._on_speaking, LATCHED),
        ]

    @property
    def speaking(self) -> bool:
        """Whether the robot speaks now."""
        return self._speaking

    @property
    def progress(self) -> Progress:
        """A copy of what has happened so far."""
        with self._lock:
            if self._speaking:
                self._progress.last_voice = time.monotonic()
            return Progress(**vars(self._progress))

    def _on_transcript(self, message: Transcript) -> None:
        if not message.is_final:
            return
        with self._lock:
            if message.rejected:
                self._progress.rejected += 1
            else:
                self._progress.heard += 1
        verdict = f", {REJECTIONS[message.rejected]}" if message.rejected else ""
        self._say(f'heard     "{message.text}" (confidence {message.confidence:.2f}{verdict})')

    def _on_trace(self, span: TurnTrace) -> None:
        if span.kind not in SPANS:
            return
        detail = span.error_msg or span.summary
        took = f"{seconds_of(span.duration) * 1e3:.0f} ms"
        self._say(f"{SPANS[span.kind]:<9} {span.name} {span.arguments_json} {detail} ({took})".replace("  ", " "))

    def _on_reply(self, reply: Reply) -> None:
        if not reply.is_final:
            return
        with self._lock:
            self._progress.answered += 1
            self._progress.last_error = reply.error_msg
            self._progress.last_voice = time.monotonic()
        failure = f" [{reply.error_msg}]" if reply.error_code else ""
        self._say(f'answered  "{reply.text}"{failure}')

    def _on_robot(self, state: RobotState) -> None:
        if state.activity == self._activity:
            return
        self._activity = state.activity
        roll, pitch, yaw = (math.degrees(angle) for angle in rpy_from_matrix(transform_from_pose(state.head_pose)))
        head = f"head roll {roll:.0f}, pitch {pitch:.0f}, yaw {yaw:.0f} deg"
        self._say(f"robot     {ACTIVITIES[state.activity]}: {head}, body {math.degrees(state.body_yaw):.0f} deg")

    def _on_speaking(self, state: SpeakingState) -> None:
        with self._lock:
            self._speaking = state.speaking
            self._progress.last_voice = time.monotonic()
