from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.speech.echoing_room import Room, mixed, robot_speech
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.stt.echo import HOP, EchoSuppressor
from reachy_agent_ros.stt.voice_detectors import FRAME
from support.cases import mostly_nightly
from support.recordings import LOOK_LEFT, spoken
from support.speech_models import detector, voice

PERSON_SPEAKS = 8
"""Time at which the person begins to speak after the start of the robot's speech, s."""

LEFT_OVER = 0.02
"""Maximum fraction of frames in which residual echo may be detected as speech: 5 of about 280.

Speech synthesis is random, and about one of twenty runs has one or two such frames. An interruption requires seven.
"""

ROOMS = [Room(delay=0.03, reverberation=0.2), Room(delay=0.25, reverberation=0.6)]


@cache
def talk() -> Samples:
    return robot_speech(voice(), 12.0, np.random.default_rng(2))


@cache
def person() -> Samples:
    speech = spoken(LOOK_LEFT, before=PERSON_SPEAKS, after=12.0)[: talk().size]
    level = talk().std() / spoken(LOOK_LEFT, 0.0, 0.0).std()
    return np.clip(speech * level, -32768, 32767).astype(np.int16)


def residual(heard: Samples, said: Samples) -> tuple[Samples, list[float]]:
    suppressor = EchoSuppressor()
    frames = [slice(start, start + FRAME) for start in range(0, heard.size - FRAME + 1, FRAME)]
    results = [suppressor.suppress(heard[frame], said[frame]) for frame in frames]
    return np.concatenate([result.samples for result in results]), [result.excess for result in results]


def speech_frames(sound: Samples) -> list[int]:
    detector().reset()
    frames = sound[: sound.size // FRAME * FRAME].reshape(-1, FRAME)
    return [number for number, frame in enumerate(frames) if detector().probability(frame) >= 0.6]


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("level", mostly_nightly([-20.0, -10.0, 0.0]))
def test_echo_cancellation_removes_robot_voice(room: Room, level: float) -> None:
    heard = room.hear(talk(), level)
    own = len(speech_frames(heard))
    assert own > 100
    assert len(speech_frames(residual(heard, talk())[0])) < LEFT_OVER * own


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("level", mostly_nightly([-20.0, -10.0, 0.0]))
def test_echo_cancellation_keeps_voice_of_person_speaking_over_robot(room: Room, level: float) -> None:
    sound, excess = residual(mixed(room.hear(talk(), level), person()), talk())
    first = PERSON_SPEAKS * SAMPLE_RATE // FRAME
    found = [frame for frame in speech_frames(sound) if frame >= first]
    assert len(found) > 25
    assert found[0] < first + 12
    assert np.mean(excess[first + 6 : first + 40]) > 2.0 * np.mean(excess[first - 60 : first])


@pytest.mark.slow
@given(st.lists(st.integers(-32768, 32767), min_size=FRAME, max_size=4 * FRAME))
@settings(max_examples=25)
def test_echo_cancellation_delays_sound_by_one_hop_while_robot_is_silent(values: list[int]) -> None:
    heard = np.array(values[: len(values) // FRAME * FRAME], np.int16)
    sound, excess = residual(heard, np.zeros_like(heard))
    assert np.max(np.abs(sound[HOP:].astype(int) - heard[:-HOP])) <= 1
    assert min(excess) == pytest.approx(1.0)


def test_restart_of_echo_cancellation_discards_earlier_sound() -> None:
    suppressor = EchoSuppressor()
    for start in range(0, 4 * SAMPLE_RATE, FRAME):
        suppressor.suppress(talk()[start : start + FRAME], talk()[start : start + FRAME])
    suppressor.restart()
    speech = spoken(LOOK_LEFT, before=0.0)
    silence = np.zeros(FRAME, np.int16)
    frames = [speech[start : start + FRAME] for start in range(0, speech.size - FRAME + 1, FRAME)]
    left = np.concatenate([suppressor.suppress(frame, silence).samples for frame in frames])
    assert np.allclose(left[HOP:], np.concatenate(frames)[:-HOP], atol=1)
