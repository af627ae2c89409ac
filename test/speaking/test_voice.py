from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from speech_models import detector, recogniser, voice

from reachy_agent_ros.audio.resampler import resample
from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.hearing.transcription import transcribe
from reachy_agent_ros.speaking.voice import JOE, Piper


def test_our_own_ears_understand_it() -> None:
    sound = resample(voice().synthesise("I can see a red cup on the table."), voice().sample_rate, SAMPLE_RATE)
    assert "cup on the table" in transcribe(sound, detector(), recogniser()).text.lower()


def test_twice_the_speed_is_half_the_sound() -> None:
    text = "I can see a red cup on the table."
    slow, fast = (voice().synthesise(text, speed).size for speed in (1.0, 2.0))
    assert 0.35 < fast / slow < 0.7


def test_what_has_no_sound_is_empty() -> None:
    assert voice().synthesise("").size == 0
    assert voice().synthesise("").dtype == np.int16


@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_a_file_that_is_no_voice_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "bad.onnx"
    if content is not None:
        path.write_bytes(content)
        (tmp_path / "bad.onnx.json").write_text("{}")
    with pytest.raises(AgentError) as refusal:
        Piper(path)
    assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE


def test_a_file_with_a_voices_settings_and_no_model_is_refused(tmp_path: Path) -> None:
    settings = (JOE.verified() / "en_US-joe-medium.onnx.json").read_text()
    (tmp_path / "bad.onnx").write_bytes(b"no model")
    (tmp_path / "bad.onnx.json").write_text(settings)
    with pytest.raises(AgentError) as refusal:
        Piper(tmp_path / "bad.onnx")
    assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE
