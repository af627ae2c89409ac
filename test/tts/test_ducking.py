from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.tts.ducking import DOWN, LOWERED, UP, Ducking

RATE = 22_050
LOUD = 30_000


def played(commands: list[tuple[int, bool]]) -> NDArray[np.int16]:
    """A constant sound in chunks of the given sizes, lowered or not."""
    ducking = Ducking()
    chunks: list[Samples] = [np.zeros(0, np.int16)]
    for size, lowered in commands:
        chunk, ducking = ducking.apply(np.full(size, LOUD, np.int16), RATE, lowered)
        chunks.append(chunk)
    return np.concatenate(chunks)


def test_an_undisturbed_voice_is_unchanged() -> None:
    assert set(played([(500, False)] * 3)) == {LOUD}


def test_the_voice_goes_down_and_comes_back() -> None:
    sound = played([(882, False), (882, True), (RATE, False)])
    assert sound[882 + int(DOWN * RATE) + 1] == round(LOWERED * LOUD)
    assert sound[2 * 882 + int(UP * RATE) + 1] == LOUD


@given(st.lists(st.tuples(st.integers(0, 900), st.booleans()), max_size=30))
def test_the_gain_never_jumps_and_never_leaves_its_range(commands: list[tuple[int, bool]]) -> None:
    sound = played(commands).astype(int)
    assert np.all((sound >= round(LOWERED * LOUD)) & (sound <= LOUD))
    assert np.all(np.abs(np.diff(sound, prepend=LOUD)) <= LOUD * (1.0 - LOWERED) / (DOWN * RATE) + 1.0)


@given(st.lists(st.integers(0, 900), min_size=1, max_size=10))
def test_how_the_sound_is_cut_does_not_matter(sizes: list[int]) -> None:
    whole, pieces = played([(sum(sizes), True)]).astype(int), played([(size, True) for size in sizes])
    assert np.all(np.abs(pieces - whole) <= 1)
