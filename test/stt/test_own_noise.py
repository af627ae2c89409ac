from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.audio_stream import Chunk
from reachy_agent_ros.stt.own_noise import COOL_DOWN, LOUD, OwnMotion, OwnSound, OwnVoice
from support.waiting import wait_until

START = 1_700_000_000.0
FIRST = round(START * SAMPLE_RATE)

PERIOD = 0.02


def test_microphone_is_muted_while_robot_speaks() -> None:
    voice = OwnVoice()
    assert not voice.muted
    voice.update(True, "Hello.")
    assert voice.muted
    voice.update(False, "")
    assert voice.muted
    wait_until(lambda: not voice.muted)


@pytest.mark.slow
def test_crashed_speech_node_does_not_mute_microphone_forever() -> None:
    voice = OwnVoice()
    voice.update(True, "Hello.")
    wait_until(lambda: not voice.muted)


def test_stop_is_accepted_unless_robot_has_said_it() -> None:
    voice = OwnVoice()
    voice.update(True, "I look left.")
    assert voice.lets_pass("Reachy, stop!")
    assert not voice.lets_pass("Look right.")
    assert not voice.lets_pass("I stopped.")
    voice.update(True, "Then I stop and look.")
    assert not voice.lets_pass("Stop.")
    voice.update(True, "And I look right.")
    assert not voice.lets_pass("Stop.")


def ramp(first: int, size: int) -> Chunk:
    return Chunk(np.arange(first, first + size, dtype=np.int16), SAMPLE_RATE, stream="robot")


def test_robot_sound_is_read_at_requested_time() -> None:
    sound = OwnSound()
    sound.write(ramp(1, 640), START)
    sound.write(ramp(641, 640), START + 0.04)
    assert sound.read(FIRST + 600, 100).tolist() == list(range(601, 701))


def test_gaps_in_robot_sound_are_silent() -> None:
    sound = OwnSound()
    assert not sound.read(FIRST, 100).any()
    sound.write(ramp(1, 640), START)
    sound.write(ramp(1, 640), START + 1.0)
    assert not sound.read(FIRST - 100, 100).any()
    assert not sound.read(FIRST + 640, SAMPLE_RATE - 640).any()
    assert not sound.read(FIRST + SAMPLE_RATE + 640, 100).any()


def test_clock_set_back_clears_robot_sound() -> None:
    sound = OwnSound()
    sound.write(ramp(1, 640), START)
    sound.write(ramp(1, 640), START - 3600.0)
    assert not sound.read(FIRST, 640).any()
    assert sound.read(FIRST - 3600 * SAMPLE_RATE, 3).tolist() == [1, 2, 3]


def test_voice_of_other_sample_rate_is_resampled() -> None:
    sound = OwnSound()
    tone = np.round(8000.0 * np.sin(2.0 * np.pi * 440.0 * np.arange(22_050) / 22_050)).astype(np.int16)
    sound.write(Chunk(tone, 22_050, stream="robot"), START)
    expected = 8000.0 * np.sin(2.0 * np.pi * 440.0 * np.arange(8000) / SAMPLE_RATE)
    assert np.abs(sound.read(FIRST, 8000)[100:] - expected[100:]).max() < 100.0


def test_rejects_unsupported_format_of_robot_sound() -> None:
    with pytest.raises(AgentError) as refused:
        OwnSound().write(Chunk(np.zeros(10, np.int16), 10), START)
    assert refused.value.code is ErrorCode.AUDIO_UNSUPPORTED


@given(st.lists(st.integers(1, 2000), min_size=1, max_size=60))
def test_last_seconds_of_robot_sound_are_kept_for_any_chunk_sizes(sizes: list[int]) -> None:
    sound = OwnSound()
    written = 0
    for size in sizes:
        sound.write(ramp(written, size), START + written / SAMPLE_RATE)
        written += size
    kept = min(written, 2 * SAMPLE_RATE)
    expected = np.arange(written - kept, written).astype(np.int16)
    assert np.array_equal(sound.read(FIRST + written - kept, kept), expected)


def moved(speeds: list[float]) -> OwnMotion:
    motion = OwnMotion()
    position = 0.0
    for number, speed in enumerate([0.0, *speeds]):
        position += speed * PERIOD
        motion.update([0.0, position], number * PERIOD)
    return motion


def test_motors_count_as_loud_during_and_shortly_after_gesture() -> None:
    motion = moved([1.0] * 5)
    assert motion.loud(0.1)
    assert motion.loud(0.1 + 0.9 * COOL_DOWN)
    assert not motion.loud(0.1 + 1.1 * COOL_DOWN)


def test_first_or_repeated_joint_sample_does_not_count_as_loud_motion() -> None:
    motion = OwnMotion()
    motion.update([3.0], 1.0)
    motion.update([0.0], 1.0)
    motion.update([0.0, 1.0], 1.1)
    assert not motion.loud(1.1)


@given(st.lists(st.floats(-0.9 * LOUD, 0.9 * LOUD), max_size=20))
def test_breathing_does_not_count_as_loud_motion(speeds: list[float]) -> None:
    assert not moved(speeds).loud(len(speeds) * PERIOD)
