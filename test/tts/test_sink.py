from __future__ import annotations

import uuid

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.tts.sink import DOWN, LONGEST, LOWERED, UP, Ducked, Ducking

CHUNK = np.full(1600, 10_000, np.int16)
RATE = 16_000

VOICE_RATE = 22_050
LOUD = 30_000


class Ear:
    """Test double of a sink that records its calls."""

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
    """Two sinks that play the same utterance. The clock is simulated."""

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


def test_volume_is_lowered_and_restored_in_every_sink() -> None:
    room = Room()
    assert room.last_after_a_chunk() == 10_000
    room.voice.lower()
    assert room.last_after_a_chunk() == 10_000 * LOWERED
    room.voice.restore()
    room.last_after_a_chunk()
    assert room.last_after_a_chunk() == 10_000


def test_lowered_volume_is_restored_after_timeout() -> None:
    room = Room()
    room.voice.lower()
    assert room.last_after_a_chunk() < 10_000
    room.now += LONGEST
    room.last_after_a_chunk()
    assert room.last_after_a_chunk() == 10_000


def test_next_utterance_starts_at_full_volume() -> None:
    room = Room()
    room.voice.lower()
    room.last_after_a_chunk()
    room.voice.end(cancelled=True)
    room.voice.restore()
    room.voice.start(uuid.uuid4(), RATE)
    assert room.last_after_a_chunk() == 10_000
    assert [ear.ended for ear in room.ears] == [[True], [True]]


def played(commands: list[tuple[int, bool]]) -> NDArray[np.int16]:
    """Plays a constant sound in chunks of given sizes, each at normal or lowered volume. Returns the sound."""
    ducking = Ducking()
    chunks: list[Samples] = [np.zeros(0, np.int16)]
    for size, lowered in commands:
        chunk, ducking = ducking.apply(np.full(size, LOUD, np.int16), VOICE_RATE, lowered)
        chunks.append(chunk)
    return np.concatenate(chunks)


def test_full_volume_does_not_change_samples() -> None:
    assert set(played([(500, False)] * 3)) == {LOUD}


def test_volume_is_lowered_and_restored() -> None:
    sound = played([(882, False), (882, True), (VOICE_RATE, False)])
    assert sound[882 + int(DOWN * VOICE_RATE) + 1] == round(LOWERED * LOUD)
    assert sound[2 * 882 + int(UP * VOICE_RATE) + 1] == LOUD


@given(st.lists(st.tuples(st.integers(0, 900), st.booleans()), max_size=30))
def test_volume_gain_is_continuous_and_within_range(commands: list[tuple[int, bool]]) -> None:
    sound = played(commands).astype(int)
    assert np.all((sound >= round(LOWERED * LOUD)) & (sound <= LOUD))
    assert np.all(np.abs(np.diff(sound, prepend=LOUD)) <= LOUD * (1.0 - LOWERED) / (DOWN * VOICE_RATE) + 1.0)


@given(st.lists(st.integers(0, 900), min_size=1, max_size=10))
def test_volume_gain_is_independent_of_chunk_sizes(sizes: list[int]) -> None:
    whole, pieces = played([(sum(sizes), True)]).astype(int), played([(size, True) for size in sizes])
    assert np.all(np.abs(pieces - whole) <= 1)
