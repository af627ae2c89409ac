from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.audio.sound_file import write_wav
from reachy_agent_ros.cli.cli import main
from support.recordings import LOOK_LEFT

FIELDS = {"file", "text", "confidence", "rejected", "audio_s", "cpu_ms"}


def test_transcribe_prints_one_json_line_per_file_including_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    silent, broken, absent = (tmp_path / name for name in ("silent.wav", "broken.wav", "absent.wav"))
    write_wav(silent, np.zeros(8_000, np.int16), 16_000)
    broken.write_bytes(b"no sound")
    files = [LOOK_LEFT, silent, broken, absent]
    assert main(["transcribe", *map(str, files), "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["file"] for line in lines] == [str(file) for file in files]
    assert set(lines[0]) == FIELDS
    assert lines[0]["text"] == "Reachy, look left and tell me what you see."
    assert not lines[0]["rejected"]
    assert lines[0]["audio_s"] == pytest.approx(2.36, abs=0.1)
    assert lines[0]["cpu_ms"] > 0.0
    for line in lines[1:]:
        assert line["rejected"]
        assert line["text"] == ""
        assert line["reason"]
    assert ["error" in line for line in lines] == [False, False, True, True]


@pytest.mark.parametrize(("options", "code"), [([], 1), (["--json"], 0)])
def test_transcribe_fails_for_silent_file_unless_output_is_json(options: list[str], code: int, tmp_path: Path) -> None:
    silent = tmp_path / "silent.wav"
    write_wav(silent, np.zeros(8_000, np.int16), 16_000)
    assert main(["transcribe", str(silent), *options]) == code


def test_transcribe_fails_if_model_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["transcribe", str(LOOK_LEFT), "--model", str(tmp_path), "--json"]) != 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert str(tmp_path) in captured.err


def test_transcribe_reports_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    absent = tmp_path / "absent.wav"
    assert main(["transcribe", str(absent)]) == 1
    assert capsys.readouterr().out == f"{absent}: There is no file {absent}.\n"
