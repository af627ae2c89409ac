from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from reachy_agent_ros.audio.samples import level_dbfs
from reachy_agent_ros.audio.sound_file import read_sound, write_wav
from reachy_agent_ros.core.errors import AgentError, ErrorCode

TONE = 0.5 * np.sin(2.0 * np.pi * 300.0 * np.arange(48_000) / 48_000)


@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW"])
@pytest.mark.parametrize("channels", [1, 2])
def test_reads_sound_file_of_any_sample_width_and_channel_count(tmp_path: Path, subtype: str, channels: int) -> None:
    path = tmp_path / "tone.wav"
    soundfile.write(path, np.tile(TONE[:, None], channels), 48_000, subtype)
    samples = read_sound(path)
    assert samples.size == 16_000
    assert level_dbfs(samples) == pytest.approx(-9.0, abs=0.3)


def test_reads_sound_file_with_codec_that_cannot_seek(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "phone.wav", TONE[::6], 8_000, "GSM610")
    samples = read_sound(tmp_path / "phone.wav")
    assert samples.size == pytest.approx(16_000, abs=1_000)  # the decoder returns complete frames of 40 ms
    assert level_dbfs(samples) == pytest.approx(-9.0, abs=1.0)


def test_written_sound_file_round_trips(tmp_path: Path) -> None:
    path = tmp_path / "noise.wav"
    samples = np.random.default_rng(1).integers(-9_000, 9_000, 500).astype(np.int16)
    write_wav(path, samples, 16_000)
    assert np.array_equal(read_sound(path), samples)


def test_reads_truncated_sound_file(tmp_path: Path) -> None:
    path = tmp_path / "cut.wav"
    write_wav(path, np.ones(1_000, np.int16), 16_000)
    path.write_bytes(path.read_bytes()[: 44 + 2 * 400])
    assert read_sound(path).size == 400


@pytest.mark.parametrize("content", [b"", b"hello, this is not sound", b"RIFF\xff\xff\xff\xffWAVEfmt "])
def test_rejects_file_without_sound(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.wav"
    path.write_bytes(content)
    with pytest.raises(AgentError) as refusal:
        read_sound(path)
    assert refusal.value.code is ErrorCode.AUDIO_UNSUPPORTED


def test_rejects_sound_file_with_non_finite_samples(tmp_path: Path) -> None:
    path = tmp_path / "nan.wav"
    soundfile.write(path, np.array([0.0, np.nan, 0.5]), 16_000, "FLOAT")
    with pytest.raises(AgentError, match="not finite"):
        read_sound(path)


def test_sound_file_without_samples_raises_no_speech(tmp_path: Path) -> None:
    path = tmp_path / "empty.wav"
    write_wav(path, np.zeros(0, np.int16), 16_000)
    with pytest.raises(AgentError) as refusal:
        read_sound(path)
    assert refusal.value.code is ErrorCode.NO_SPEECH


def test_reports_missing_sound_file(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as refusal:
        read_sound(tmp_path / "absent.wav")
    assert refusal.value.code is ErrorCode.AUDIO_UNAVAILABLE


def test_writing_sound_to_missing_folder_raises_storage_failed(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as refusal:
        write_wav(tmp_path / "no" / "where.wav", np.zeros(1, np.int16), 16_000)
    assert refusal.value.code is ErrorCode.STORAGE_FAILED


def test_rejects_sound_file_longer_than_limit(tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    write_wav(path, np.ones(3 * 16_000, np.int16), 16_000)
    assert read_sound(path, longest=3.0).size == 48_000
    with pytest.raises(AgentError) as caught:
        read_sound(path, longest=2.0)
    assert caught.value.code is ErrorCode.AUDIO_UNSUPPORTED


def test_rejects_sound_file_with_too_many_channels(tmp_path: Path) -> None:
    path = tmp_path / "wide.wav"
    soundfile.write(path, np.zeros((100, 1_000)), 48_000)
    with pytest.raises(AgentError) as caught:
        read_sound(path)
    assert caught.value.code is ErrorCode.AUDIO_UNSUPPORTED
