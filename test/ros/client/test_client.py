"""ROS client node of the command-line interface."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from reachy_agent_ros.core import names
from reachy_agent_ros.core.instance import claim
from reachy_agent_ros.ros.client.client import JOIN_TIMEOUT, STRANGER_TIMEOUT, GraphClient


def test_command_line_arguments_do_not_remap_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["reachy-agent", "up", "attention:=always"])
    with GraphClient("test", names.NAMESPACE) as client:
        assert client.node.resolve_topic_name(names.ATTENTION) == f"{names.NAMESPACE}/{names.ATTENTION}"


def test_waits_full_time_for_graph_started_by_another_launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    with GraphClient("test", names.NAMESPACE) as client:
        assert client.patience == STRANGER_TIMEOUT
        with claim(f"{names.NAMESPACE}/{names.AGENT}"):
            assert client.patience == JOIN_TIMEOUT
