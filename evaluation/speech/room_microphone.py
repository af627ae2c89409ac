"""Simulated microphone in a room with people, motors and the robot's voice."""

from __future__ import annotations

import threading
import time
from collections import deque

import numpy as np
from reachy_agent_msgs.msg import AudioChunk

from evaluation.speech.echoing_room import Room, mixed
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO
from reachy_agent_ros.ros.stt.hearing_messages import chunk_from_message, chunk_message
from reachy_agent_ros.stt.audio_input import PIECE
from reachy_agent_ros.stt.audio_stream import Chunk, SampleClock
from reachy_agent_ros.stt.own_noise import OwnSound

NOISE = 15.0  # of the room, in sample units
MEMORY = SAMPLE_RATE  # samples of the robot's voice with audible echoes


class RoomMicrophone:
    """Simulated microphone that delivers sound in real time until it is closed.

    Each chunk is delivered after its duration.

    Args:
        client: Client in the robot's graph.
        room: Acoustic path from the robot's loudspeaker to its microphone.
        level: Level of the robot's voice in the microphone relative to its output, dB.
    """

    def __init__(self, client: GraphClient, room: Room, level: float) -> None:
        self._room = room
        self._level = level
        self._robot = OwnSound()
        self._sounds: deque[Samples] = deque()
        self._rng = np.random.default_rng(1)
        self._publisher = client.node.create_publisher(AudioChunk, names.AUDIO_CAPTURE, AUDIO)
        client.node.create_subscription(AudioChunk, names.AUDIO_PLAYBACK, self._hear_robot, AUDIO)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def heard(self) -> bool:
        """Whether the stream has a subscriber."""
        return bool(self._publisher.get_subscription_count())

    @property
    def silent(self) -> bool:
        """Whether all queued sounds have been played. The robot's voice and the room noise do not count."""
        return not self._sounds

    def play(self, sound: Samples) -> None:
        """Queues a sound, to be played after the earlier sounds."""
        self._sounds.extend(np.array_split(sound, max(1, -(-sound.size // PIECE))))

    def close(self) -> None:
        """Ends the stream."""
        self._closing.set()
        self._thread.join()

    def _hear_robot(self, message: AudioChunk) -> None:
        chunk = chunk_from_message(message)
        self._robot.write(chunk, chunk.time)

    def _run(self) -> None:
        clock, began, sequence = SampleClock(), time.time(), 0
        while not self._closing.is_set():
            end = began + (sequence + 1) * PIECE / SAMPLE_RATE
            time.sleep(max(0.0, end - time.time()))
            first = clock.place(end - PIECE / SAMPLE_RATE, PIECE)
            captured = end - PIECE / SAMPLE_RATE
            chunk = Chunk(self._piece(first), SAMPLE_RATE, stream="room", sequence=sequence, time=captured)
            self._publisher.publish(chunk_message(chunk))
            sequence += 1

    def _piece(self, first: int) -> Samples:
        said = self._robot.read(first + PIECE - MEMORY, MEMORY)
        echo = self._room.hear(said, self._level)[-PIECE:] if said.any() else np.zeros(PIECE, np.int16)
        person = self._sounds.popleft() if self._sounds else np.zeros(PIECE, np.int16)
        return mixed(echo, np.pad(person, (0, PIECE - person.size)), NOISE * self._rng.standard_normal(PIECE))
