"""Plays a sound file to the robot's ears, as fast as a person would speak it."""

from __future__ import annotations

import threading
import time
import uuid
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray
from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk
from std_msgs.msg import Header

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AUDIO_CAPTURE
from reachy_agent_ros.nodes.convert import wall_stamp
from reachy_agent_ros.nodes.qos import AUDIO

CHUNK = 0.03
"""Length of a chunk, s."""

SILENCE = 1.5
"""Silence after the file, s: enough for the ears to notice that the speaker has finished."""


class SoundFileStream:
    """One file as a stream of `AudioChunk` on the capture topic.

    Args:
        node: In the graph's namespace.
        path: Any format that libsndfile reads.

    Raises:
        AgentError: `AUDIO_UNSUPPORTED`: not a sound file; `NO_SPEECH`: no samples in it.
    """

    def __init__(self, node: Node, path: Path) -> None:
        self._samples, self._rate = _read(path)
        self._publisher = node.create_publisher(AudioChunk, AUDIO_CAPTURE, AUDIO)
        self._stream = f"{path.name}:{uuid.uuid4()}"

    @property
    def heard(self) -> bool:
        """Whether anybody listens to the topic."""
        return bool(self._publisher.get_subscription_count())

    def play(self, stop: threading.Event) -> None:
        """Publishes the whole file at its own pace, unless `stop` is set."""
        size = round(self._rate * CHUNK)
        starts = range(0, len(self._samples), size)
        begin = time.monotonic()
        for sequence, start in enumerate(starts):
            if stop.wait(max(0.0, begin + sequence * CHUNK - time.monotonic())):
                return
            samples = self._samples[start : start + size]
            self._publisher.publish(
                AudioChunk(
                    header=Header(stamp=wall_stamp()),
                    sample_rate=self._rate,
                    channels=samples.shape[1],
                    sequence=sequence,
                    stream=self._stream,
                    last=sequence == len(starts) - 1,
                    data=samples.reshape(-1),
                )
            )


def _read(path: Path) -> tuple[NDArray[np.int16], int]:
    """Samples, frames by channels, with the silence at their end, and the rate in Hz."""
    try:
        samples, rate = soundfile.read(path, dtype="int16", always_2d=True)
    except (soundfile.LibsndfileError, TypeError) as error:
        raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, f"{path} cannot be read as sound: {error}.") from error
    if not len(samples):
        raise AgentError(ErrorCode.NO_SPEECH, f"{path} holds no sound.")
    silence = np.zeros((round(rate * SILENCE), samples.shape[1]), dtype=np.int16)
    return np.concatenate([samples, silence]), int(rate)
