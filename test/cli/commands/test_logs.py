from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.supervision.record import graph_directory
from support.waiting import wait_until


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Creates the folder of a graph with two logs, and returns its path."""
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    directory = graph_directory(NAMESPACE)
    (directory / "agent.log").write_text(
        "2026-11-28 07:00:01,250 [INFO] hears\n2026-11-28 07:00:03,000 [ERROR] \x1b[2Jforgets\n"
    )
    (directory / "tts.log").write_text("2026-11-28 07:00:02,000 [INFO] speaks\n")
    return directory


def texts(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["logs", "--json", *words]) == 0
    return [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()]


def test_logs_command_prints_lines_with_time_and_node(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["logs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2:] for line in lines] == [
        ["[agent]", "[INFO]", "hears"],
        ["[tts]", "[INFO]", "speaks"],
        ["[agent]", "[ERROR]", "[2Jforgets"],
    ]
    assert lines[0].startswith("2026-11-28 07:00:01.250 ")


def test_logs_command_filters_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert texts(capsys, "tts") == ["[INFO] speaks"]
    assert texts(capsys, "--grep", "hear|speak") == ["[INFO] hears", "[INFO] speaks"]
    assert texts(capsys, "--since", "2026-11-28T07:00:02") == ["[INFO] speaks", "[ERROR] \x1b[2Jforgets"]
    assert texts(capsys, "--lines", "2", "agent") == ["[INFO] hears", "[ERROR] \x1b[2Jforgets"]
    assert texts(capsys, "--grep", "nothing") == []


def test_logs_command_prints_new_lines_until_interrupted(directory: Path) -> None:
    command = [sys.executable, "-u", "-m", "reachy_agent_ros.cli.cli", "logs", "tts", "-f", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["text"] == "[INFO] speaks"
    with (directory / "tts.log").open("a") as log:
        log.write(time.strftime("%Y-%m-%d %H:%M:%S,000 sings\n"))
    assert json.loads(process.stdout.readline())["text"] == "sings"
    process.send_signal(signal.SIGINT)
    wait_until(lambda: process.poll() is not None, "the end of the command")
    assert process.returncode == 0
    process.stdout.close()


def test_reports_missing_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["logs", "--namespace", "/other"]) == 1
    assert "There are no logs" in capsys.readouterr().err


def test_logs_command_rejects_invalid_regular_expression(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["logs", "--grep", "("])
    assert "invalid regular expression" in capsys.readouterr().err
