"""`update --restart` with a running graph: the restarted graph has the same nodes and arguments."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.cli.commands import update
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.supervision.record import GraphRecord, load
from support.command_line import run_command
from support.nodes.started_graph import StartedGraph
from support.versioned_checkout import create_repository, publish_versions

pytestmark = pytest.mark.graph

run = partial(run_command, update)


def record() -> GraphRecord:
    found = load(NAMESPACE)
    assert found is not None
    assert found.alive
    return found


def test_update_restarts_graph_with_same_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    repository = create_repository(tmp_path, monkeypatch)
    publish_versions(repository)
    monkeypatch.setattr(update, "ROOT", repository.root)
    words = ("nodes:=feedback", f"state_directory:={repository.state}", "robot_name:=Robbie")
    graph = StartedGraph(tmp_path / "graph", *words)
    monkeypatch.setenv("ROS_DOMAIN_ID", graph.environment["ROS_DOMAIN_ID"])
    try:
        before = record()
        assert run("--restart") == 0
        after = record()
    finally:
        graph.close()
    assert repository.version == ("2", "2", "2")
    assert not before.supervisor.alive
    assert after.supervisor.pid != before.supervisor.pid
    assert after.arguments == before.arguments
    assert "The graph runs again, in the background." in capfd.readouterr().out
