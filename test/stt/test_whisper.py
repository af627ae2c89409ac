from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.recognizer import TranscriptRejection
from reachy_agent_ros.stt.whisper import Whisper, rejection_of, without_repeated_tail
from support.recordings import LOOK_LEFT, motor_noise
from support.speech_models import recognizer, voice

STORY = (
    "It was a cold morning in the north of the country, and nobody had slept.",
    "We walked through the garden and down to the river without saying a single word.",
    "The weather changed as soon as the boat had left the other side.",
    "My sister sat in the kitchen, where she was reading a letter from her oldest friend.",
    "Late in the evening a strong wind took the roof from the little house.",
    "All of the children laughed, because none of them had ever seen such a thing.",
)
"""Speech without a pause that is longer than one window of Whisper."""

SENTENCE = [10, 11, 12, 13, 14]
"""Token ids in the tests of repetition removal."""


def test_transcribes_sentence() -> None:
    heard = recognizer().recognize(read_sound(LOOK_LEFT))
    assert "look left and tell me what you see" in heard.text.lower()
    assert heard.rejection is TranscriptRejection.NONE
    assert 0.5 < heard.confidence <= 1.0
    assert heard.language == "en"


def test_transcribes_quiet_speech() -> None:
    heard = recognizer().recognize((read_sound(LOOK_LEFT) // 16).astype(np.int16))
    assert "look left" in heard.text.lower()
    assert heard.rejection is TranscriptRejection.NONE


@pytest.mark.parametrize("seconds", [0.0, 0.01, 1.0, 3.0])
def test_rejects_transcription_of_silence(seconds: float) -> None:
    assert recognizer().recognize(np.zeros(int(16_000 * seconds), np.int16)).rejection is not TranscriptRejection.NONE


def test_rejects_transcription_of_motor_noise() -> None:
    assert recognizer().recognize(motor_noise(3.0)).rejection is not TranscriptRejection.NONE


@pytest.mark.slow
def test_transcription_does_not_repeat_sentence() -> None:
    sentence = read_sound(LOOK_LEFT)
    for cut in range(0, 4_000, 800):
        assert recognizer().recognize(sentence[cut:]).text.lower().count("tell me") == 1


@pytest.mark.nightly
def test_transcribes_speech_longer_than_window() -> None:
    said = np.concatenate([voice().synthesize(sentence, speed=0.75) for sentence in STORY])
    resampler = Resampler(voice().sample_rate, 1)
    story = np.concatenate([resampler.process(said), resampler.flush()])
    assert story.size > 26 * 16_000
    heard = recognizer().recognize(story)
    assert heard.rejection is TranscriptRejection.NONE
    for word in ("morning", "garden", "weather", "kitchen", "evening", "children"):
        assert heard.text.lower().count(word) == 1


@pytest.mark.nightly
def test_rejects_long_silence() -> None:
    assert recognizer().recognize(np.zeros(60 * 16_000, np.int16)).rejection is not TranscriptRejection.NONE


@pytest.mark.slow
def test_rejects_unsupported_language() -> None:
    with pytest.raises(AgentError) as refusal:
        Whisper(language="de")
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_rejects_folder_without_model_files(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as refusal:
        Whisper(str(tmp_path))
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE


@pytest.mark.parametrize("text", ["R-", "W-W.", "B, b, b.", "A."])
def test_rejects_single_letters_transcribed_from_noise(text: str) -> None:
    assert rejection_of(text, -0.3, 0.05) is TranscriptRejection.NOISE


@pytest.mark.parametrize("text", ["", " ", "...", "?!"])
def test_text_without_letters_becomes_empty(text: str) -> None:
    assert rejection_of(text, -0.1, 0.01) is TranscriptRejection.EMPTY


@pytest.mark.parametrize("text", ["No.", "OK.", "Go on.", "4.", "I?", "Stop!", "\u00c4h"])
def test_short_reply_is_accepted(text: str) -> None:
    assert rejection_of(text, -0.9, 0.05) is TranscriptRejection.NONE


@pytest.mark.parametrize(("log_probability", "no_speech"), [(-0.94, 0.1), (-0.78, 0.11), (-0.97, 0.17), (-0.62, 0.17)])
def test_required_log_probability_rises_with_no_speech_probability(log_probability: float, no_speech: float) -> None:
    assert rejection_of("What the hell?", log_probability, no_speech) is TranscriptRejection.NOISE
    assert rejection_of("Rear, left.", log_probability + 0.3, no_speech - 0.05) is TranscriptRejection.NONE


@pytest.mark.parametrize(("log_probability", "no_speech"), [(-1.1, 0.0), (-0.1, 0.7)])
def test_transcription_is_rejected_if_one_threshold_is_exceeded(log_probability: float, no_speech: float) -> None:
    assert rejection_of("Thank you.", log_probability, no_speech) is TranscriptRejection.NOISE


def test_possible_silence_requires_higher_log_probability() -> None:
    assert rejection_of("From an unknown caller.", -0.24, 0.31) is TranscriptRejection.NONE
    assert rejection_of("Thank you.", -0.6, 0.31) is TranscriptRejection.NOISE


@pytest.mark.parametrize("text", ["Stop!", "Stop, stop.", "wait"])
def test_stop_is_accepted_with_lower_log_probability(text: str) -> None:
    assert rejection_of(text, -0.6, 0.4) is TranscriptRejection.NONE
    assert rejection_of(text, -0.9, 0.4) is TranscriptRejection.NOISE
    assert rejection_of(text, -0.9, 0.1) is TranscriptRejection.NONE
    assert rejection_of(text, -0.6, 0.7) is TranscriptRejection.NOISE
    assert rejection_of(f"{text} it now please", -0.6, 0.4) is TranscriptRejection.NOISE


@pytest.mark.parametrize("times", [2, 3, 5])
@pytest.mark.parametrize("cut", [0, 2, 4])
def test_repetition_of_sentence_is_removed(times: int, cut: int) -> None:
    looped = SENTENCE * times + SENTENCE[:cut]
    assert without_repeated_tail(looped, cut_off=True) == SENTENCE


def test_repeated_words_within_complete_sentence_are_kept() -> None:
    assert without_repeated_tail([*SENTENCE, 10, 11], cut_off=False) == [*SENTENCE, 10, 11]


def test_intentional_repetition_of_no_is_kept() -> None:
    assert without_repeated_tail([7, 7, 7], cut_off=False) == [7, 7, 7]
    assert without_repeated_tail([7] * 9, cut_off=False) == [7]


@given(st.lists(st.integers(0, 4)), st.booleans())
def test_removing_repeated_tail_returns_prefix_of_tokens(tokens: list[int], cut_off: bool) -> None:
    kept = without_repeated_tail(tokens, cut_off=cut_off)
    assert kept == tokens[: len(kept)]
    assert set(kept) == set(tokens)


@given(st.lists(st.integers(), unique=True), st.booleans())
def test_removing_repeated_tail_keeps_unique_tokens(tokens: list[int], cut_off: bool) -> None:
    assert without_repeated_tail(tokens, cut_off=cut_off) == tokens
