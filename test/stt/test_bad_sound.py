"""Tests with bad audio. It must neither cause false transcripts nor stop speech recognition."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.stt.endpointer import Endpointing
from reachy_agent_ros.stt.listener import ActivityState, Listener, SpeechHandlers
from reachy_agent_ros.stt.own_noise import OwnNoise
from reachy_agent_ros.stt.recognizer import TranscriptRejection
from reachy_agent_ros.stt.utterance import Heard
from support.recordings import LOOK_LEFT, spoken
from support.speech_models import detector, recognizer
from support.waiting import wait_until


class Ears:
    """Speech recognizer that processes sound faster than real time."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.state = ActivityState.IDLE
        detector().reset()
        self.listener = Listener(
            detector(),
            recognizer(),
            Endpointing(longest=150),
            OwnNoise(),
            SpeechHandlers(lambda activity: setattr(self, "state", activity.state), self.heard.append, self.fail),
        )

    def fail(self, error: BaseException) -> None:
        raise error

    def hear(self, samples: Samples) -> None:
        for piece in np.array_split(samples, max(1, samples.size // 1600)):
            self.listener.hear(piece, "bad")

    @property
    def believed(self) -> list[str]:
        return [one.recognition.text for one in self.heard if one.recognition.rejection is TranscriptRejection.NONE]

    def await_idle(self) -> None:
        def idle() -> bool:
            self.listener.refresh()
            return self.state is ActivityState.IDLE

        wait_until(idle)


@pytest.fixture
def ears() -> Iterator[Ears]:
    one = Ears()
    yield one
    one.listener.close()


def understands(ears: Ears) -> bool:
    """Asserts that the next sentence is transcribed correctly."""
    ears.hear(spoken(LOOK_LEFT))
    ears.await_idle()
    return any("look left" in text.lower() for text in ears.believed)


@pytest.mark.nightly
def test_recognizer_ignores_one_minute_of_silence(ears: Ears) -> None:
    ears.hear(np.zeros(60 * SAMPLE_RATE, np.int16))
    assert ears.state is ActivityState.IDLE
    assert ears.heard == []
    assert understands(ears)


@pytest.mark.slow
def test_recognizer_splits_endless_music_into_utterances_and_continues(ears: Ears) -> None:
    time = np.arange(30 * SAMPLE_RATE) / SAMPLE_RATE
    notes = 220.0 * 2.0 ** (np.random.default_rng(5).integers(0, 24, time.size // 4000 + 1) / 12.0)
    phase = 2.0 * np.pi * np.cumsum(np.repeat(notes, 4000)[: time.size]) / SAMPLE_RATE
    ears.hear((6000.0 * (np.sin(phase) + 0.5 * np.sin(2.0 * phase) + 0.3 * np.sin(3.0 * phase))).astype(np.int16))
    ears.hear(np.zeros(SAMPLE_RATE, np.int16))
    ears.await_idle()
    assert all(one.audio_duration <= 5.0 for one in ears.heard)
    assert understands(ears)


def test_recognizes_clipped_speech(ears: Ears) -> None:
    ears.hear(np.clip(spoken(LOOK_LEFT).astype(np.int32) * 8, -32768, 32767).astype(np.int16))
    ears.await_idle()
    assert any("look left" in text.lower() for text in ears.believed)


@pytest.mark.parametrize("offset", [-8000, 3000])
def test_recognizes_speech_with_dc_offset(ears: Ears, offset: int) -> None:
    ears.hear(np.clip(spoken(LOOK_LEFT).astype(np.int32) + offset, -32768, 32767).astype(np.int16))
    ears.await_idle()
    assert any("look left" in text.lower() for text in ears.believed)


@pytest.mark.slow
def test_recognizer_rejects_full_scale_noise(ears: Ears) -> None:
    ears.hear(np.random.default_rng(1).integers(-32768, 32767, 5 * SAMPLE_RATE).astype(np.int16))
    ears.hear(np.zeros(SAMPLE_RATE, np.int16))
    ears.await_idle()
    assert ears.believed == []
    assert understands(ears)
