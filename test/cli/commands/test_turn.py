from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.audio.sound_file import read_sound, write_wav
from reachy_agent_ros.cli.cli import main
from support.recordings import LOOK_LEFT


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_turn_prints_one_json_object_per_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["turn", "--json", "turn left and then", "what time is it"]) == 0
    found = lines(capsys)
    assert [list(line) for line in found] == [["text", "complete", "confidence"]] * 2
    assert [(line["text"], line["complete"]) for line in found] == [
        ("turn left and then", False),
        ("what time is it", True),
    ]
    assert all(0.5 <= float(str(line["confidence"])) <= 1.0 for line in found)


def test_turn_reads_one_text_per_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("sí\n\nich möchte\n", encoding="utf-8")
    assert main(["turn", "--json", "--file", str(path)]) == 0
    assert [(line["text"], line["complete"]) for line in lines(capsys)] == [("sí", True), ("ich möchte", False)]


def test_turn_prints_readable_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["turn", "remind me to"]) == 0
    assert capsys.readouterr().out.startswith("unfinished")


def test_turn_judges_recordings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = tmp_path / "cut.wav"
    sentence = read_sound(LOOK_LEFT)
    write_wav(cut, sentence[: int(0.55 * sentence.size)], 16_000)
    assert main(["turn", "--json", str(LOOK_LEFT), str(cut)]) == 0
    found = lines(capsys)
    assert [list(line) for line in found] == [["file", "complete", "confidence"]] * 2
    assert [line["complete"] for line in found] == [True, False]


def test_turn_reports_inputs_that_cannot_be_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    silent, broken, absent = (tmp_path / name for name in ("silent.wav", "broken.wav", "absent.wav"))
    write_wav(silent, np.zeros(16_000, np.int16), 16_000)
    broken.write_bytes(b"no sound")
    given = ["", "word " * 1000, str(silent), str(broken), str(absent), "yes"]
    assert main(["turn", "--json", *given]) == 1
    found = lines(capsys)
    assert ["error" in line for line in found] == [True] * 5 + [False]
    problems = ["has no words", "expected at most", "no speech", "as audio", "There is no file"]
    for line, problem in zip(found, problems, strict=False):
        assert problem in str(line["error"])


def test_turn_rejects_missing_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["turn", "--json"]) == 2
    assert "pass a sentence, or a file with --file" in capsys.readouterr().err
