"""Tests of `reachy-agent update`: text and JSON output, and installations that cannot be updated."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.bringup import resolve
from reachy_agent_ros.cli.commands import update
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord
from support.command_line import run_command
from support.versioned_checkout import Repository, create_repository, publish_versions

run = partial(run_command, update)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    created = create_repository(tmp_path, monkeypatch)
    monkeypatch.setattr(update, "ROOT", created.root)
    return created


def test_update_prints_changes_before_and_new_version_afterwards(
    repository: Repository, capfd: pytest.CaptureFixture[str]
) -> None:
    publish_versions(repository)
    assert run() == 0
    said = capfd.readouterr()
    assert "release: publish v0.10.0" in said.err
    assert "update.pyz --rollback" in said.err
    assert said.out.startswith("Updated to v0.10.0: 2 changes. The previous state is in ")
    run()
    assert capfd.readouterr().out.startswith("Nothing to do: ")


def test_update_prints_one_json_object(repository: Repository, capfd: pytest.CaptureFixture[str]) -> None:
    publish_versions(repository)
    run("--to", "v0.2.0", "--json")
    done = json.loads(capfd.readouterr().out)
    assert (done["name"], len(done["changes"]), Path(done["backup"]).is_file()) == ("v0.2.0", 1, True)


@pytest.mark.parametrize("option", ["--continue", "--rollback"])
def test_continue_and_rollback_require_interrupted_update(repository: Repository, option: str) -> None:
    with pytest.raises(AgentError, match="No update was interrupted"):
        run(option)


@pytest.mark.parametrize(("missing", "advice"), [(".git", "pip install --upgrade"), (".venv", "git pull")])
def test_unsupported_installation_prints_how_to_update(repository: Repository, missing: str, advice: str) -> None:
    (repository.root / missing).rename(repository.root / "gone")
    with pytest.raises(AgentError, match=advice):
        run()


def test_update_with_restart_succeeds_without_running_graph(
    repository: Repository, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path / "runtime"))
    publish_versions(repository)
    assert run("--restart") == 0
    assert "The graph runs again" not in capfd.readouterr().out


def test_update_with_restart_requires_supervisor(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path / "runtime"))
    nodes = {"tts": ProcessRecord.of(os.getpid())}
    GraphRecord(ProcessRecord(2**22 - 1, 0.0), resolve({}), {}, nodes).save()
    with pytest.raises(AgentError, match="Stop the nodes with `reachy-agent down` before the update"):
        run("--restart")
    assert repository.version == ("1", "1", "1")
