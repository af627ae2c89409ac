from __future__ import annotations

import uuid

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.tts.ducking import LONGEST, LOWERED, Ducked

CHUNK = np.full(1600, 10_000, np.int16)
RATE = 16_000


class Ear:
    """A sink that remembers."""

    def __init__(self) -> None:
        self.heard: list[Samples] = []
        self.ended: list[bool] = []

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        self.rate = sample_rate

    def write(self, samples: Samples) -> None:
        self.heard.append(samples)

    def end(self, *, cancelled: bool) -> None:
        self.ended.append(cancelled)


class Room:
    """Two ears at a voice, and a clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ears = [Ear(), Ear()]
        self.voice = Ducked(self.ears, lambda: self.now)
        self.voice.start(uuid.uuid4(), RATE)

    def last_after_a_chunk(self) -> int:
        self.voice.write(CHUNK)
        first, second = (ear.heard[-1] for ear in self.ears)
        assert np.array_equal(first, second)
        return int(first[-1])


def test_a_suspicion_lowers_the_voice_in_every_sink_and_its_end_restores_it() -> None:
    room = Room()
    assert room.last_after_a_chunk() == 10_000
    room.voice.lower()
    assert room.last_after_a_chunk() == 10_000 * LOWERED
    room.voice.restore()
    room.last_after_a_chunk()
    assert room.last_after_a_chunk() == 10_000


def test_a_suspicion_that_nobody_decides_is_forgotten() -> None:
    room = Room()
    room.voice.lower()
    assert room.last_after_a_chunk() < 10_000
    room.now += LONGEST
    room.last_after_a_chunk()
    assert room.last_after_a_chunk() == 10_000


def test_the_next_utterance_starts_at_full_loudness() -> None:
    room = Room()
    room.voice.lower()
    room.last_after_a_chunk()
    room.voice.end(cancelled=True)
    room.voice.restore()
    room.voice.start(uuid.uuid4(), RATE)
    assert room.last_after_a_chunk() == 10_000
    assert [ear.ended for ear in room.ears] == [[True], [True]]
