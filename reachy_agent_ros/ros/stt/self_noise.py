"""Noise of the robot's own voice and motors, and the topic `listening`, which keeps the robot's body still."""

from __future__ import annotations

import threading

from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk, SpeakingState
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, LATCHED, SENSOR, STANDARD
from reachy_agent_ros.ros.stt.hearing_messages import chunk_from_message
from reachy_agent_ros.stt.own_noise import OwnNoise

REFRESH_PERIOD = 0.1
"""Period of repetition, s. The body moves again half a second after the last signal."""


class SelfNoise:
    """Tracks the noise that the robot's own voice and motors make.

    Args:
        node: Node that subscribes.


    Attributes:
        noise: State of the voice and motors.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self.noise = OwnNoise()
        self._subscriptions = (
            node.create_subscription(SpeakingState, names.SPEAKING_STATE, self._speaks, LATCHED),
            node.create_subscription(AudioChunk, names.AUDIO_PLAYBACK, self._sounds, AUDIO),
            node.create_subscription(JointState, names.JOINT_STATES, self._moves, SENSOR),
        )

    def _speaks(self, state: SpeakingState) -> None:
        self.noise.voice.update(state.speaking, state.text)

    def _sounds(self, message: AudioChunk) -> None:
        chunk = chunk_from_message(message)
        try:
            self.noise.sound.write(chunk, chunk.time)
        except AgentError as error:
            self._node.get_logger().warning(f"No reference: {error.message}", throttle_duration_sec=5.0)

    def _moves(self, state: JointState) -> None:
        self.noise.motion.update(state.position, seconds_of(state.header.stamp))


class ListeningSignal:
    """Publishes `listening` after every change, and repeatedly while the value is true.

    Args:
        node: Node that publishes the signal.
    """

    def __init__(self, node: AgentNode) -> None:
        self._publisher = node.create_publisher(Bool, names.LISTENING, STANDARD)
        self._lock = threading.Lock()  # otherwise, the timer's "true" could follow the final "false"
        self._listening = False
        node.every(REFRESH_PERIOD, self._refresh)

    def update(self, listening: bool) -> None:
        """Sets whether speech is currently detected. Thread-safe."""
        with self._lock:
            if listening is not self._listening:
                self._listening = listening
                self._publisher.publish(Bool(data=listening))

    def _refresh(self) -> None:
        with self._lock:
            if self._listening:
                self._publisher.publish(Bool(data=True))
