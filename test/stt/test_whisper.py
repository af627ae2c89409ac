from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.recogniser import TranscriptRejection
from reachy_agent_ros.stt.whisper import Whisper
from support.recordings import LOOK_LEFT, motor_noise
from support.speech_models import recogniser, voice

STORY = (
    "It was a cold morning in the north of the country, and nobody had slept.",
    "We walked through the garden and down to the river without saying a single word.",
    "The weather changed as soon as the boat had left the other side.",
    "My sister sat in the kitchen, where she was reading a letter from her oldest friend.",
    "Late in the evening a strong wind took the roof from the little house.",
    "All of the children laughed, because none of them had ever seen such a thing.",
)
"""Longer than one window of Whisper's, without a pause."""


def test_a_sentence_is_understood() -> None:
    heard = recogniser().recognise(read_sound(LOOK_LEFT))
    assert "look left and tell me what you see" in heard.text.lower()
    assert heard.rejection is TranscriptRejection.NONE
    assert 0.5 < heard.confidence <= 1.0
    assert heard.language == "en"


def test_quiet_speech_is_understood() -> None:
    heard = recogniser().recognise((read_sound(LOOK_LEFT) // 16).astype(np.int16))
    assert "look left" in heard.text.lower()
    assert heard.rejection is TranscriptRejection.NONE


@pytest.mark.parametrize("seconds", [0.0, 0.01, 1.0, 3.0])
def test_silence_is_rejected(seconds: float) -> None:
    assert recogniser().recognise(np.zeros(int(16_000 * seconds), np.int16)).rejection is not TranscriptRejection.NONE


def test_motor_noise_is_rejected() -> None:
    assert recogniser().recognise(motor_noise(3.0)).rejection is not TranscriptRejection.NONE


@pytest.mark.slow
def test_a_sentence_is_not_said_twice() -> None:
    sentence = read_sound(LOOK_LEFT)
    for cut in range(0, 4_000, 800):
        assert recogniser().recognise(sentence[cut:]).text.lower().count("tell me") == 1


@pytest.mark.nightly
def test_speech_longer_than_a_window_is_understood_to_its_end() -> None:
    said = np.concatenate([voice().synthesise(sentence, speed=0.75) for sentence in STORY])
    resampler = Resampler(voice().sample_rate, 1)
    story = np.concatenate([resampler.process(said), resampler.flush()])
    assert story.size > 26 * 16_000
    heard = recogniser().recognise(story)
    assert heard.rejection is TranscriptRejection.NONE
    for word in ("morning", "garden", "weather", "kitchen", "evening", "children"):
        assert heard.text.lower().count(word) == 1


@pytest.mark.nightly
def test_long_silence_is_rejected() -> None:
    assert recogniser().recognise(np.zeros(60 * 16_000, np.int16)).rejection is not TranscriptRejection.NONE


@pytest.mark.slow
def test_a_language_the_model_lacks_is_refused() -> None:
    with pytest.raises(AgentError) as refusal:
        Whisper(language="de")
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as refusal:
        Whisper(str(tmp_path))
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE
