from __future__ import annotations

import os
from pathlib import Path

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


def test_help_says_that_running_graph_must_be_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["film", "--help"])
    assert "Stop a running graph first: reachy-agent down" in capsys.readouterr().out
