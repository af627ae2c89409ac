from __future__ import annotations

import json
from pathlib import Path

import pytest
import soundfile

from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.stt.transcription import transcribe
from support.speech_models import detector, recognizer


def test_speak_writes_speech_to_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cup.wav"
    text = "I can see a red cup on the table."
    assert main(["speak", text, "--out", str(path), "--rate", "16000", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert set(line) == {"file", "audio_s", "first_audio_ms", "cpu_ms"}
    assert line["file"] == str(path)
    assert soundfile.info(path).samplerate == 16_000
    assert line["audio_s"] == pytest.approx(soundfile.info(path).duration, abs=0.01)
    assert "cup on the table" in transcribe(read_sound(path), detector(), recognizer()).text.lower()


@pytest.mark.parametrize(
    ("text", "speed"),
    [
        ("", "1"),
        ("Hello.", "nan"),
        *(pytest.param(*case, marks=pytest.mark.nightly) for case in (("\N{GRINNING FACE}", "1"), ("Hello.", "9"))),
    ],
)
def test_failed_speech_synthesis_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, speed: str
) -> None:
    path = tmp_path / "no.wav"
    assert main(["speak", text, "--speed", speed, "--out", str(path)]) != 0
    assert capsys.readouterr().err
    assert not path.exists()
