from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.audio.resampler import resample
from reachy_agent_ros.audio.samples import FULL_SCALE, SAMPLE_RATE, level_dbfs
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.transcription import transcribe
from reachy_agent_ros.tts.voice import JOE, Piper, require_voice
from support.one_tone import write_one_tone
from support.speech_models import detector, recognizer, voice


@pytest.mark.slow
def test_voice_is_intelligible() -> None:
    sound = resample(voice().synthesize("I can see a red cup on the table."), voice().sample_rate, SAMPLE_RATE)
    assert "cup on the table" in transcribe(sound, detector(), recognizer()).text.lower()


@pytest.mark.slow
def test_double_speed_halves_duration() -> None:
    text = "I can see a red cup on the table."
    slow, fast = (voice().synthesize(text, speed).size for speed in (1.0, 2.0))
    assert 0.35 < fast / slow < 0.7


def test_text_without_speakable_characters_produces_no_sound() -> None:
    assert voice().synthesize("").size == 0
    assert voice().synthesize("").dtype == np.int16


def joe(folder: Path, size: int | None = None) -> Path:
    """Copies the packaged voice, or only the first bytes of its network. Returns the path of the ONNX file."""
    file = folder / "joe.onnx"
    original = JOE.verified() / "en_US-joe-medium.onnx"
    file.write_bytes(original.read_bytes()[:size])
    Path(f"{file}.json").write_text(Path(f"{original}.json").read_text())
    return file


def test_voice_check_accepts_complete_voice(tmp_path: Path) -> None:
    assert require_voice(joe(tmp_path)).sample_rate == 22_050


@pytest.mark.parametrize("size", [0, 1_000_000])
def test_voice_check_rejects_truncated_network(tmp_path: Path, size: int) -> None:
    with pytest.raises(AgentError, match="is damaged, or not a network") as refusal:
        require_voice(joe(tmp_path, size))
    assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE


def test_voice_check_names_reason_why_network_cannot_be_read(tmp_path: Path) -> None:
    file = joe(tmp_path)
    file.unlink()
    file.symlink_to("/proc/self/mem")  # a file that even root cannot read
    with pytest.raises(AgentError, match=r"Cannot read the voice .*: Input/output error\. Check the permissions"):
        require_voice(file)


def test_voice_check_names_reason_why_path_cannot_be_searched(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"Cannot read the voice .*: File name too long") as refusal:
        require_voice(tmp_path / f"{'x' * 300}.onnx")
    assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE


@pytest.mark.parametrize("settings", ["{}", "[]", "{", '{"audio": 1}', "[" * 100_000])
def test_voice_check_rejects_unrelated_settings_file(tmp_path: Path, settings: str) -> None:
    file = joe(tmp_path)
    Path(f"{file}.json").write_text(settings)
    with pytest.raises(AgentError, match="does not contain the settings of a Piper voice"):
        require_voice(file)


def test_voice_check_rejects_voice_without_settings(tmp_path: Path) -> None:
    file = joe(tmp_path)
    Path(f"{file}.json").unlink()
    with pytest.raises(AgentError, match=r"Cannot read .*joe\.onnx\.json, .*Put it beside joe\.onnx\."):
        require_voice(file)


@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_rejects_file_that_contains_no_voice(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "bad.onnx"
    if content is not None:
        path.write_bytes(content)
        (tmp_path / "bad.onnx.json").write_text("{}")
    with pytest.raises(AgentError) as refusal:
        Piper(path)
    assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE


def test_rejects_voice_settings_without_model(tmp_path: Path) -> None:
    settings = (JOE.verified() / "en_US-joe-medium.onnx.json").read_text()
    (tmp_path / "bad.onnx").write_bytes(b"no model")
    (tmp_path / "bad.onnx.json").write_text(settings)
    with pytest.raises(AgentError) as refusal:
        Piper(tmp_path / "bad.onnx")
    assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE


def test_voice_that_cannot_be_divided_synthesizes_one_piece(tmp_path: Path) -> None:
    tone = Piper(write_one_tone(tmp_path))
    assert "latent" in tone.whole_because
    assert len(list(tone.pieces("Hello there"))) == 1
    assert voice().whole_because == ""


def test_synthesized_piece_has_number_of_remaining_samples() -> None:
    pieces = list(voice().pieces("I can see a red cup on the table."))
    assert len(pieces) > 2
    sizes = np.cumsum([piece.samples.size for piece in pieces])
    assert [piece.rest for piece in pieces] == (sizes[-1] - sizes).tolist()


@pytest.mark.parametrize("text", ["Okay.", "What do you want?", "Wow, that is great!", "There is a duck."])
def test_synthesized_sentences_are_loud_and_not_clipped(text: str) -> None:
    samples = voice().synthesize(text)
    assert 0.3 * FULL_SCALE < np.abs(samples).max() < FULL_SCALE
    assert -26.0 < level_dbfs(samples) < -12.0


def test_voice_reads_text_with_control_characters_and_markup() -> None:
    assert voice().synthesize("a\x00b\x07\x1b[31m [[ ]] \\ ").dtype == np.int16
