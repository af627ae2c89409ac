"""Publication of speech on the topic `audio/playback`, and its recording to a file."""

from __future__ import annotations

import threading
import uuid
from pathlib import Path
from typing import Any

import numpy as np
from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk
from std_msgs.msg import Header

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.audio.sound_file import write_wav
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AUDIO_PLAYBACK
from reachy_agent_ros.ros.rclpy_ext.convert import wall_stamp
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO


class PlaybackSink:
    """Publishes every audio chunk on `audio/playback` at its playback time.

    Args:
        node: Node that publishes the chunks.
    """

    def __init__(self, node: Node) -> None:
        self._publisher = node.create_publisher(AudioChunk, names.AUDIO_PLAYBACK, AUDIO)
        self._stream = ""
        self._rate = 0
        self._sequence = 0

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Begins an audio stream."""
        self._stream, self._rate, self._sequence = str(utterance_id), sample_rate, 0

    def write(self, samples: Samples) -> None:
        """Publishes an audio chunk."""
        self._publish(samples, last=False)

    def end(self, *, cancelled: bool) -> None:
        """Ends the audio stream with an empty chunk."""
        del cancelled  # the stream ends in the same way in both cases
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


class PlaybackRecorder:
    """Recorder of the topic `audio/playback`. Starts when the object is created.

    Args:
        node: Node in the graph's namespace, spun by another thread.
    """

    def __init__(self, node: Node) -> None:
        self._lock = threading.Lock()
        self._chunks: list[Samples] = []
        self._rate = 0
        self._subscription = node.create_subscription(AudioChunk, AUDIO_PLAYBACK, self._on_chunk, AUDIO)

    def write(self, path: Path) -> float:
        """Writes the recorded speech to a mono 16-bit wav file. Returns the length of the file in seconds.

        Raises:
            AgentError: `NO_DATA` if there was no speech, or an error of `write_wav`.
        """
        with self._lock:
            if not self._chunks:
                raise AgentError(ErrorCode.NO_DATA, f"No speech was recorded, so {path} was not written.")
            samples = np.concatenate(self._chunks)
        write_wav(path, samples, self._rate)
        return len(samples) / self._rate

    def _on_chunk(self, chunk: AudioChunk) -> None:
        with self._lock:
            self._rate = chunk.sample_rate
            self._chunks.append(np.asarray(chunk.data, dtype=np.int16))
