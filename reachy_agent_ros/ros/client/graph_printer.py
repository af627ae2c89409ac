"""Output of the graph's events, one per line: speech, decisions, actions and replies."""

from __future__ import annotations

import math
from collections.abc import Callable

from rclpy.node import Node
from reachy_agent_msgs.msg import BargeIn, Reply, RobotState, Transcript, TurnTrace

from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import rpy_from_matrix
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, transform_from_pose
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


class GraphPrinter:
    """Prints the events of a running graph, one per line. Values that a later version has added appear as numbers.

    Args:
        node: Node in the graph's namespace.
        say: Called with one line at a time, in the thread that spins the node.
    """

    def __init__(self, node: Node, say: Callable[[str], None]) -> None:
        self._say = say
        self._activity: int | None = None
        self._subscriptions = [
            node.create_subscription(Transcript, names.TRANSCRIPT, self._on_transcript, STANDARD),
            node.create_subscription(BargeIn, names.BARGE_IN, self._on_barge_in, STANDARD),
            node.create_subscription(TurnTrace, names.TURN_TRACE, self._on_trace, STANDARD),
            node.create_subscription(Reply, names.REPLY, self._on_reply, STANDARD),
            node.create_subscription(RobotState, names.ROBOT_STATE, self._on_robot, LATCHED),
        ]

    def _on_transcript(self, message: Transcript) -> None:
        if not message.is_final:
            return
        reason = REJECTIONS.get(message.rejected, f"rejected for reason {message.rejected}")
        verdict = f", {reason}" if message.rejected else ""
        self._say(f'heard     "{message.text}" (confidence {message.confidence:.2f}{verdict})')

    def _on_barge_in(self, message: BargeIn) -> None:
        self._say(f"interrupt {STAGES.get(message.stage, f'stage {message.stage}')}")

    def _on_trace(self, span: TurnTrace) -> None:
        if span.kind not in SPANS or (span.kind == TurnTrace.HEARING and span.span > 0):  # printed as a transcript
            return
        detail = span.error_msg or span.summary
        told = " ".join(filter(None, (span.name, span.arguments_json, detail)))
        self._say(f"{SPANS[span.kind]:<9} {told} ({seconds_of(span.duration) * 1e3:.0f} ms)")

    def _on_reply(self, reply: Reply) -> None:
        if reply.is_final:
            failure = f" [{reply.error_msg}]" if reply.error_code else ""
            self._say(f'answered  "{reply.text}"{failure}')

    def _on_robot(self, state: RobotState) -> None:
        if state.activity == self._activity:
            return
        self._activity = state.activity
        angles = (*rpy_from_matrix(transform_from_pose(state.head_pose)), state.body_yaw)
        roll, pitch, yaw, body = (round(math.degrees(angle)) for angle in angles)
        head = f"head roll {roll}, pitch {pitch}, yaw {yaw} deg"
        activity = ACTIVITIES.get(state.activity, f"is in state {state.activity}")
        self._say(f"robot     {activity}: {head}, body {body} deg")
