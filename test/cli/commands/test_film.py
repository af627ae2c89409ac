from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.bringup import resolve
from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.cli.commands import film
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord
from support.command_line import run_command


def test_rejects_film_while_graph_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    GraphRecord(ProcessRecord.of(os.getpid()), dict(resolve({})), {}).save()
    with pytest.raises(AgentError, match="Stop the running one first: reachy-agent down"):
        run_command(film)


def test_reports_progress_of_drawing(capsys: pytest.CaptureFixture[str]) -> None:
    pictures = [np.zeros((1, 1, 3), np.uint8)] * 25
    drawn = film.reported(iter(pictures), len(pictures))
    for _ in range(3):
        next(drawn)
    assert capsys.readouterr().err == ""
    next(drawn)
    assert capsys.readouterr().err == "Drew 3 of 25 pictures.\n"
    assert len(list(drawn)) == 21
    assert capsys.readouterr().err.splitlines()[-1] == "Drew 25 of 25 pictures."


def test_help_says_that_running_graph_must_be_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["film", "--help"])
    assert "Stop a running graph first: reachy-agent down" in capsys.readouterr().out
