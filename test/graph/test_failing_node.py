"""A graph reports the error of a node that cannot start, without waiting for more attempts to start it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reachy_agent_ros.ros.client.observer import MOST_FAILURES
from support.nodes.started_graph import StartedGraph

pytestmark = pytest.mark.graph


def test_up_reports_error_of_node_that_cannot_start(tmp_path: Path) -> None:
    graph = StartedGraph(tmp_path, "nodes:=feedback", "feedback.database:=no address", "--json")
    try:
        assert graph.started.returncode == 1, graph.started.stderr
        (node,) = json.loads(graph.started.stdout)["nodes"]
        assert "Cannot start" in node["last_end"]
        assert node["restarts"] <= MOST_FAILURES + 1  # the supervisor may have tried once more since
    finally:
        graph.close()
