"""Tests of restarts by a real supervisor. The nodes are replaced by scripts.

A test in test/graph/test_up.py restarts a real node.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.cli.commands.restart import restart
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.supervision.record import GraphRecord, load
from support import TEST
from support.logged_process import LoggedProcess
from support.waiting import wait_until

POLITE = "import signal\nsignal.signal(signal.SIGINT, lambda *_: exit(0))\nprint('up')\nsignal.pause()"


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GraphRecord]:
    """Runs a graph with two nodes, and yields its record."""
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path / "runtime"))
    command = [sys.executable, str(TEST / "support/supervised.py"), str(tmp_path), "agent", POLITE, "tts", POLITE]
    with LoggedProcess(command, "supervisor") as process:
        wait_until(lambda: process.output.count("] ") >= 2, "both nodes")
        record = load("/test")
        assert record is not None
        yield record
        process.send_signal(signal.SIGINT)
        process.wait(20.0)


def pids() -> dict[str, int]:
    record = load("/test")
    assert record is not None
    return {name: node.pid for name, node in record.nodes.items()}


def test_restart_command_restarts_one_node(before: GraphRecord) -> None:
    restart("/test", "agent")
    now = pids()
    assert now["agent"] != before.nodes["agent"].pid
    assert now["tts"] == before.nodes["tts"].pid


def test_restart_command_restarts_all_nodes(before: GraphRecord) -> None:
    restart("/test")
    assert all(pid != before.nodes[name].pid for name, pid in pids().items())


def test_restart_command_rejects_node_outside_of_graph(before: GraphRecord) -> None:
    with pytest.raises(AgentError, match=r"camera is not part of this graph\. Nodes: agent, tts") as caught:
        restart("/test", "camera")
    assert caught.value.code is ErrorCode.NOT_FOUND


def test_missing_graph_error_explains_how_to_start_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    assert main(["restart"]) == 3
    assert "Start one: reachy-agent up" in capsys.readouterr().err


def test_unknown_node_error_suggests_closest_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["restart", "agnt"])
    assert "Did you mean agent?" in capsys.readouterr().err
