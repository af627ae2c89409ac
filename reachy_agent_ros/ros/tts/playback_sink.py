"""What the robot says, as a topic."""

from __future__ import annotations

import uuid
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk
from std_msgs.msg import Header

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.convert import wall_stamp
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO


class PlaybackSink:
    """Publishes every chunk on `audio/playback` when it is to be heard.

    Args:
        node: Node that publishes.
    """

    def __init__(self, node: Node) -> None:
        self._publisher = node.create_publisher(AudioChunk, names.AUDIO_PLAYBACK, AUDIO)
        self._stream = ""
        self._rate = 0
        self._sequence = 0

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Begins a stream."""
        self._stream, self._rate, self._sequence = str(utterance_id), sample_rate, 0

    def write(self, samples: Samples) -> None:
        """Publishes a chunk."""
        self._publish(samples, last=False)

    def end(self, *, cancelled: bool) -> None:
        """Ends the stream with an empty chunk."""
        del cancelled  # either way nothing comes after this
        self._publish([], last=True)

    def _publish(self, samples: Any, *, last: bool) -> None:
        self._publisher.publish(
            AudioChunk(
                header=Header(stamp=wall_stamp()),
                sample_rate=self._rate,
                channels=1,
                sequence=self._sequence,
                stream=self._stream,
                last=last,
                data=samples,
            )
        )
        self._sequence += 1
