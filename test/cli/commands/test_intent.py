import json
import sys
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.cli.commands import intent
from support.command_line import run_command

run = partial(run_command, intent)


def test_intent_prints_one_json_object_per_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "look left 20 degrees", "turn right", "how are you?") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        {
            "text": "look left 20 degrees",
            "decision": "act",
            "actions": [{"tool": "move_head", "arguments": {"yaw_deg": 20.0}}],
            "wants_description": False,
            "remainder": "",
            "options": [],
            "confidence": 1.0,
            "small_talk": "",
            "stop": "",
        },
        {
            "text": "turn right",
            "decision": "ask",
            "actions": [],
            "wants_description": False,
            "remainder": "",
            "options": ["move_head", "rotate_body"],
            "confidence": 0.5,
            "small_talk": "",
            "stop": "",
        },
        {
            "text": "how are you?",
            "decision": "defer",
            "actions": [],
            "wants_description": False,
            "remainder": "",
            "options": [],
            "confidence": 0.0,
            "small_talk": "wellbeing",
            "stop": "",
        },
    ]


def test_intent_distinguishes_hold_from_emergency_stop(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "stop", "let go of my finger", "nod") == 0
    assert [json.loads(line)["stop"] for line in capsys.readouterr().out.splitlines()] == ["hold", "now", ""]


def test_intent_prints_part_of_sentence_that_is_left_for_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "what do you see?", "look left and tell me a joke") == 0
    seen, told = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert seen["wants_description"]
    assert not told["wants_description"]
    assert told["remainder"] == "tell me a joke"
    assert run("what do you see?") == 0
    assert "then describe the scene" in capsys.readouterr().out


def test_intent_reads_one_sentence_per_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sentences.txt"
    path.write_text("nod\n\nshow joy\n")
    assert run("--json", "--file", str(path)) == 0
    assert [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()] == ["nod", "show joy"]


def test_intent_recognizes_emotions_and_dances_of_robot(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "show joy", "dance") == 0
    assert [json.loads(line)["decision"] for line in capsys.readouterr().out.splitlines()] == ["act", "act"]


def test_intent_rejects_missing_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["intent", "--json"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, "pass a sentence, or a file with --file" in printed.err) == ("", True)


@pytest.mark.parametrize(
    ("file", "problem"), [("/no/such/file", "No such file or directory"), (sys.executable, "expected UTF-8 text")]
)
def test_intent_reports_unreadable_file(file: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    error = f"Cannot read {file}: {problem}."
    assert main(["intent", "--file", file]) == 1
    assert capsys.readouterr() == ("", f"reachy-agent intent: {error}\n")
    assert main(["intent", "--json", "--file", file]) == 1
    printed = capsys.readouterr()
    assert (json.loads(printed.out), printed.err) == ({"file": file, "error": error}, "")
