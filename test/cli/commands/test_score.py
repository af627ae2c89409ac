import json
import sys
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.cli.commands import score
from support.command_line import run_command

run = partial(run_command, score)


def test_score_prints_one_json_object_per_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "too far down", "", "No! Stop!") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(line) for line in lines] == [["text", "sign", "rating", "confidence", "axes", "stop"]] * 3
    assert [(line["sign"], line["axes"], line["stop"]) for line in lines] == [
        (-1, ["pitch_up"], False),
        (0, [], False),
        (-1, ["stop"], True),
    ]


def test_score_reads_one_sentence_per_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sentences.txt"
    path.write_bytes(b"perfect!\r\n\r\nnot good\n")
    assert run("--json", "--file", str(path)) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["text"], line["sign"]) for line in lines] == [("perfect!", 1), ("not good", -1)]


def test_score_prints_readable_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("lower", "--act", "set_volume") == 0
    assert "wants quieter" in capsys.readouterr().out


def test_score_rejects_missing_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, "pass a sentence, or a file with --file" in printed.err) == ("", True)


@pytest.mark.parametrize(
    ("file", "problem"), [("/no/such/file", "No such file or directory"), (sys.executable, "expected UTF-8 text")]
)
def test_score_reports_unreadable_file(file: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    error = f"Cannot read {file}: {problem}."
    assert main(["score", "--file", file]) == 1
    assert capsys.readouterr() == ("", f"reachy-agent score: {error}\n")
    assert main(["score", "--json", "--file", file]) == 1
    printed = capsys.readouterr()
    assert (json.loads(printed.out), printed.err) == ({"file": file, "error": error}, "")
