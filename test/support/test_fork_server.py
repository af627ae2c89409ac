import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.logged_process import LoggedProcess
from support.nodes.fork_server import can_fork
from support.nodes.node_process import isolated
from support.waiting import PATIENCE

NODE = [sys.executable, "-m", "reachy_agent_ros.ros.feedback.feedback"]


@pytest.fixture(autouse=True)
def own_graph(tmp_path: Path) -> Iterator[None]:
    with isolated(tmp_path):
        yield


def test_fork_server_forks_only_nodes() -> None:
    assert can_fork(NODE, os.environ)
    assert not can_fork([sys.executable, "-m", "reachy_agent_ros.cli.cli"], os.environ)
    assert not can_fork([sys.executable, "-c", "pass"], os.environ)
    assert not can_fork(NODE, {**os.environ, "PYTHONPATH": "/plugins"})


def test_forked_node_has_separate_arguments_output_and_exit_code() -> None:
    with (
        LoggedProcess([*NODE, "--ros-args", "-p", "database:=1"], "first") as first,
        LoggedProcess([*NODE, "--ros-args", "-r", "__node:=other", "-p", "database:=2"], "second") as second,
    ):
        assert (first.wait(PATIENCE), second.wait(PATIENCE)) == (1, 1)
        assert "'database' to '1'" in first.output
        assert "'database' to '2'" in second.output
        assert first.pid != second.pid


def test_exit_code_of_killed_node_is_negative_signal_number() -> None:
    with LoggedProcess(NODE, "feedback") as node:
        assert node.poll() is None
        node.kill()
        assert node.wait(PATIENCE) == -9
        node.kill()  # an ended process is not killed again
