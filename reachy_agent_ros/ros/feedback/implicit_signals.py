"""What people do instead of judging, as the graph tells it."""

from __future__ import annotations

from collections.abc import Callable

from reachy_agent_msgs.msg import BargeIn, RobotState, TrainingStatus

from reachy_agent_ros.core import names
from reachy_agent_ros.learning.feedback.implicit import Signal, implicit_judgement
from reachy_agent_ros.learning.feedback.repetition import Repetition
from reachy_agent_ros.learning.judgement import Judgement
from reachy_agent_ros.ros.feedback.overheard import Sentence
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD

_INTERRUPTED = 0.5
"""Strength of an interruption of which only is known that somebody took the word."""


class ImplicitSignals:
    """Notices commands that are said again, interruptions, and a hand that takes over.

    A hand that shows something, because the trainer records it, corrects nothing.

    Args:
        node: Node that listens.
        tell: Takes what was noticed, in the executor's thread.
    """

    def __init__(self, node: AgentNode, tell: Callable[[Judgement], None]) -> None:
        self._tell = tell
        self._repetition = Repetition()
        self._motor_mode = RobotState.MOTORS_ENABLED
        self._recording = False
        node.create_subscription(BargeIn, names.BARGE_IN, self._interrupted, STANDARD)
        node.create_subscription(RobotState, names.ROBOT_STATE, self._follow, LATCHED)
        node.create_subscription(TrainingStatus, names.TRAINING_STATUS, self._trained, LATCHED)

    def hear(self, sentence: Sentence) -> None:
        """Takes every sentence that is said to the robot."""
        strength = self._repetition.strength(sentence.conversation, sentence.text)
        if strength > 0.0:
            self._tell(implicit_judgement(Signal.REPETITION, strength, given=sentence.given))

    def _interrupted(self, message: BargeIn) -> None:
        if message.stage == BargeIn.CONFIRMED:
            given = seconds_of(message.speech_start) or None
            self._tell(implicit_judgement(Signal.INTERRUPTION, 1.0 if message.stop else _INTERRUPTED, given=given))

    def _follow(self, state: RobotState) -> None:
        guided = RobotState.MOTORS_GRAVITY_COMPENSATION
        if state.motor_mode == guided != self._motor_mode and not self._recording:
            self._tell(implicit_judgement(Signal.TAKEOVER, 1.0))
        self._motor_mode = state.motor_mode

    def _trained(self, status: TrainingStatus) -> None:
        self._recording = status.state == TrainingStatus.RECORDING
