from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.helpers.sound_reader import LONGEST, read

TONE = 0.5 * np.sin(2.0 * np.pi * 300.0 * np.arange(44_100) / 44_100)


@pytest.mark.parametrize("kind", ["WAV", "FLAC", "OGG", "MP3"])
def test_converts_every_sound_format_to_wav(tmp_path: Path, kind: str) -> None:
    soundfile.write(tmp_path / "sound", np.column_stack([TONE, TONE]), 44_100, format=kind)
    answer = read({"path": str(tmp_path / "sound"), "wav": str(tmp_path / "plain.wav")})
    assert answer["duration"] == pytest.approx(1.0, abs=0.1)  # MP3 adds padding
    assert soundfile.info(tmp_path / "plain.wav").samplerate == 16_000
    assert read_sound(tmp_path / "plain.wav").size == round(answer["duration"] * 16_000)


@pytest.mark.slow
def test_rejects_small_file_with_long_sound(tmp_path: Path) -> None:
    silence = np.zeros((int(LONGEST) + 2) * 8_000, np.int16)
    soundfile.write(tmp_path / "sound", silence, 8_000, format="FLAC")
    assert (tmp_path / "sound").stat().st_size < silence.nbytes / 50
    with pytest.raises(AgentError) as caught:
        read({"path": str(tmp_path / "sound"), "wav": str(tmp_path / "plain.wav")})
    assert caught.value.code is ErrorCode.AUDIO_UNSUPPORTED
    assert caught.value.message == "The file is too long: the limit is 600 s."
    assert not (tmp_path / "plain.wav").exists()


@settings(max_examples=50, deadline=None)
@given(head=st.sampled_from([b"", b"RIFF", b"fLaC", b"OggS", b"ID3", b"\xff\xfb"]), rest=st.binary(max_size=400))
def test_any_file_is_converted_to_sound_or_raises_agent_error(
    tmp_path_factory: pytest.TempPathFactory, head: bytes, rest: bytes
) -> None:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "sound").write_bytes(head + rest)
    try:
        read({"path": str(folder / "sound"), "wav": str(folder / "plain.wav")})
    except AgentError:
        assert not (folder / "plain.wav").exists()
    else:
        assert (folder / "plain.wav").exists()
