from __future__ import annotations

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.stt.transcription import Transcription, transcribe, utterances
from support.recordings import LOOK_LEFT, STOP, motor_noise, spoken
from support.speech_models import detector, recognizer


def transcription(samples: Samples) -> Transcription:
    return transcribe(samples, detector(), recognizer())


def test_command_with_robot_name_is_transcribed() -> None:
    heard = transcription(spoken(LOOK_LEFT))
    assert heard.text == "Reachy, look left and tell me what you see."
    assert not heard.rejected
    assert 0.5 < heard.confidence <= 1.0


def test_utterances_are_transcribed_in_order() -> None:
    heard = transcription(np.concatenate([spoken(LOOK_LEFT), spoken(STOP)]))
    assert heard.text.startswith("Reachy, look left")
    assert "stop" in heard.text.lower().split("see")[1]


def test_transcriber_rejects_motor_noise_and_silence() -> None:
    for samples in (motor_noise(5.0), np.zeros(16_000, np.int16), np.zeros(1, np.int16)):
        heard = transcription(samples)
        assert heard.rejected
        assert heard.text == ""
        assert heard.reason


def test_transcriber_limits_length_of_utterances() -> None:
    endless = np.tile(spoken(LOOK_LEFT, before=0.0, after=0.0), 4)
    parts = list(utterances(endless, detector(), 3.0))
    assert len(parts) > 1
    assert max(part.size for part in parts) <= 3 * 16_000
