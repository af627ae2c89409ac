from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from recordings import LOOK_LEFT, motor_noise
from speech_models import recogniser

from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.hearing.recogniser import Rejection
from reachy_agent_ros.hearing.whisper import Whisper


def test_a_sentence_is_understood() -> None:
    heard = recogniser().recognise(read_sound(LOOK_LEFT))
    assert "look left and tell me what you see" in heard.text.lower()
    assert heard.rejection is Rejection.NONE
    assert 0.5 < heard.confidence <= 1.0
    assert heard.language == "en"


def test_quiet_speech_is_understood() -> None:
    heard = recogniser().recognise((read_sound(LOOK_LEFT) // 16).astype(np.int16))
    assert "look left" in heard.text.lower()
    assert heard.rejection is Rejection.NONE


@pytest.mark.parametrize("seconds", [0.0, 0.01, 1.0, 3.0])
def test_silence_is_rejected(seconds: float) -> None:
    assert recogniser().recognise(np.zeros(int(16_000 * seconds), np.int16)).rejection is not Rejection.NONE


def test_motor_noise_is_rejected() -> None:
    assert recogniser().recognise(motor_noise(3.0)).rejection is not Rejection.NONE


def test_a_sentence_is_not_said_twice() -> None:
    sentence = read_sound(LOOK_LEFT)
    for cut in range(0, 4_000, 800):
        assert recogniser().recognise(sentence[cut:]).text.lower().count("tell me") == 1


def test_more_than_it_takes_at_once_is_cut_off_without_an_error() -> None:
    assert recogniser().recognise(np.tile(read_sound(LOOK_LEFT), 20)).text


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as refusal:
        Whisper(tmp_path)
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE
