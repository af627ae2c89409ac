"""Conversion of audio and transcripts to messages, and playback of a sound file as captured audio."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

import numpy as np
from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk, Transcript
from std_msgs.msg import Header

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.names import AUDIO_CAPTURE
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of, stamp_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO
from reachy_agent_ros.stt.audio_input import play_to_ears
from reachy_agent_ros.stt.audio_stream import Chunk
from reachy_agent_ros.stt.utterance import Heard

SILENCE = 1.5
"""Length of the silence after the file, s: enough to detect the end of the utterance."""


def chunk_from_message(message: AudioChunk) -> Chunk:
    """Returns the audio chunk in a message. If the message has no stamp, uses the current time."""
    return Chunk(
        samples=np.asarray(message.data, np.int16),
        sample_rate=message.sample_rate,
        channels=message.channels,
        stream=message.stream,
        sequence=message.sequence,
        last=message.last,
        time=seconds_of(message.header.stamp) or time.time(),
    )


def chunk_message(chunk: Chunk) -> AudioChunk:
    """Returns the message for an audio chunk. The stamp is the time of the chunk."""
    return AudioChunk(
        header=Header(stamp=stamp_message(chunk.time)),
        sample_rate=chunk.sample_rate,
        channels=chunk.channels,
        sequence=chunk.sequence,
        stream=chunk.stream,
        last=chunk.last,
        data=chunk.samples,
    )


def transcript_message(heard: Heard, is_final: bool) -> Transcript:
    """Returns the message for a transcript. The stamp is the end of the utterance."""
    recognition = heard.recognition
    return Transcript(
        header=Header(stamp=stamp_message(heard.ended)),
        utterance_id=uuid_message(heard.utterance_id),
        replaces=uuid_message(heard.replaces or uuid.UUID(int=0)),
        text=recognition.text,
        is_final=is_final,
        rejected=int(recognition.rejection),
        confidence=recognition.confidence,
        average_log_probability=recognition.average_log_probability,
        no_speech_probability=recognition.no_speech_probability,
        language=recognition.language,
        audio_duration=duration_message(heard.audio_duration),
        endpoint_delay=duration_message(heard.endpoint_delay),
        decode_time=duration_message(recognition.decode_time),
        source=heard.stream,
    )


class SoundFileStream:
    """Publishes an audio file as `AudioChunk` messages on the capture topic.

    Args:
        node: Node in the graph's namespace.
        path: Path of the file.


    Raises:
        AgentError: An error of `read_sound`.
    """

    def __init__(self, node: Node, path: Path) -> None:
        self._samples = np.concatenate([read_sound(path), np.zeros(round(SILENCE * SAMPLE_RATE), np.int16)])
        self._publisher = node.create_publisher(AudioChunk, AUDIO_CAPTURE, AUDIO)
        self._stream = f"{path.name}:{uuid.uuid4()}"

    @property
    def heard(self) -> bool:
        """Whether the topic has subscribers."""
        return bool(self._publisher.get_subscription_count())

    def play(self, cancel: CancelToken) -> None:
        """Publishes the file in real time, until the file ends or the token is cancelled."""
        play_to_ears(self._samples, self._stream, self._publish, cancel)

    def _publish(self, chunk: Chunk) -> None:
        self._publisher.publish(chunk_message(chunk))
