"""Keeps what the robot says, to be written to a file."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.audio.sound_file import write_wav
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AUDIO_PLAYBACK
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO


class PlaybackRecorder:
    """Records the playback topic from its construction on.

    Args:
        node: In the graph's namespace; spun by another thread.
    """

    def __init__(self, node: Node) -> None:
        self._lock = threading.Lock()
        self._chunks: list[Samples] = []
        self._rate = 0
        self._subscription = node.create_subscription(AudioChunk, AUDIO_PLAYBACK, self._on_chunk, AUDIO)

    def write(self, path: Path) -> float:
        """Writes all that was said as a mono 16-bit wav file. Returns its length in s.

        Raises:
            AgentError: `NO_DATA`: nothing was said; what `write_wav` raises.
        """
        with self._lock:
            if not self._chunks:
                raise AgentError(ErrorCode.NO_DATA, f"Nothing was said, so {path} is not written.")
            samples = np.concatenate(self._chunks)
        write_wav(path, samples, self._rate)
        return len(samples) / self._rate

    def _on_chunk(self, chunk: AudioChunk) -> None:
        with self._lock:
            self._rate = chunk.sample_rate
            self._chunks.append(np.asarray(chunk.data, dtype=np.int16))
