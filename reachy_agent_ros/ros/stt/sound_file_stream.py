"""Plays a sound file to the robot's ears, as fast as a person would speak it."""

from __future__ import annotations

import uuid
from pathlib import Path

import numpy as np
from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.names import AUDIO_CAPTURE
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO
from reachy_agent_ros.ros.stt.hearing_messages import chunk_message
from reachy_agent_ros.stt.audio_input import play_to_ears
from reachy_agent_ros.stt.audio_stream import Chunk

SILENCE = round(1.5 * SAMPLE_RATE)
"""Samples of silence after the file: enough for the ears to notice that the speaker has finished."""


class SoundFileStream:
    """One file as a stream of `AudioChunk` on the capture topic.

    Args:
        node: In the graph's namespace.
        path: Of the file.

    Raises:
        AgentError: What `read_sound` raises.
    """

    def __init__(self, node: Node, path: Path) -> None:
        self._samples = np.concatenate([read_sound(path), np.zeros(SILENCE, np.int16)])
        self._publisher = node.create_publisher(AudioChunk, AUDIO_CAPTURE, AUDIO)
        self._stream = f"{path.name}:{uuid.uuid4()}"

    @property
    def heard(self) -> bool:
        """Whether anybody listens to the topic."""
        return bool(self._publisher.get_subscription_count())

    def play(self, cancel: CancelToken) -> None:
        """Publishes the whole file at its own pace, unless cancelled."""
        play_to_ears(self._samples, self._stream, self._publish, cancel)

    def _publish(self, chunk: Chunk) -> None:
        self._publisher.publish(chunk_message(chunk))
