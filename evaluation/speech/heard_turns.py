"""Playback of sentences to a running graph, as if they came from a microphone."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import replace

from reachy_agent_msgs.msg import AudioChunk, Reply

from evaluation.speech.clip import Clip
from evaluation.speech.replay import AFTER, BEFORE
from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, STANDARD
from reachy_agent_ros.ros.stt.hearing_messages import chunk_message
from reachy_agent_ros.stt.audio_input import PIECE, play_to_ears
from reachy_agent_ros.stt.audio_stream import Chunk

PATIENCE = 20.0  # s for a reply


class HeardTurns:
    """Simulated person who speaks and waits for the reply.

    Args:
        client: Client in the graph.
    """

    def __init__(self, client: GraphClient) -> None:
        self._sound = client.node.create_publisher(AudioChunk, names.AUDIO_CAPTURE, AUDIO)
        self._replies: list[Reply] = []
        client.node.create_subscription(Reply, names.REPLY, self._take, STANDARD)
        self._wait(self._sound.get_subscription_count, "nobody listens")

    def say(self, clip: Clip) -> float:
        """Plays a clip in real time. Returns the time (s since the epoch) at which its last sound ends."""
        padded = clip.padded(BEFORE, AFTER)
        self._replies.clear()
        # A microphone delivers a piece at its end, so the first one began its duration earlier.
        began = time.time() - PIECE / SAMPLE_RATE
        play_to_ears(padded.samples, str(uuid.uuid4()), self._deliver, CancelToken())
        return began + padded.speech_end

    def await_reply(self) -> None:
        """Waits until the last sentence is answered."""
        self._wait(lambda: bool(self._replies), "no answer comes")

    def _deliver(self, chunk: Chunk) -> None:
        captured = time.time() - chunk.samples.size / SAMPLE_RATE
        self._sound.publish(chunk_message(replace(chunk, time=captured)))

    def _take(self, reply: Reply) -> None:
        if reply.is_final:
            self._replies.append(reply)

    @staticmethod
    def _wait(condition: Callable[[], object], complaint: str) -> None:
        patience = Deadline(PATIENCE)
        while not condition():
            assert not patience.passed, complaint
            time.sleep(0.02)
