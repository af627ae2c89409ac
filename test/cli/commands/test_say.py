"""Tests of `reachy-agent say` with a real `tts` node that writes the speech to a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.core import names
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.domains import Purpose
from support.logged_process import LoggedProcess
from support.nodes.node_process import isolated
from support.waiting import wait_until


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Starts a `tts` node. Returns the folder to which it writes speech files."""
    folder = tmp_path_factory.mktemp("speech")
    with ExitStack() as running:
        running.enter_context(isolated(tmp_path_factory.mktemp("graph"), Purpose.GRAPH))
        parameters = ["-p", "sink:=file", "-p", f"directory:={folder}"]
        command = [sys.executable, "-m", "reachy_agent_ros.ros.tts.tts", "--ros-args", *parameters]
        running.enter_context(LoggedProcess(command, names.TTS))
        client = running.enter_context(GraphClient("test", NAMESPACE))
        watch = HeartbeatMonitor(client.node, names.TTS)
        wait_until(lambda: watch.ready, "the node to be ready")
        yield folder


def test_say_command_speaks_text(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["say", "Hello,", "I am Reachy.", "--json"]) == 0
    line = json.loads(capfd.readouterr().out)
    assert line["text"] == "Hello, I am Reachy."
    assert 0.5 < line["audio_s"] < 10.0


def test_say_command_prints_duration_as_text(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["say", "Yes.", "--volume", "0.5", "--speed", "1.5", "--interrupt"]) == 0
    assert capfd.readouterr().out.startswith("Spoke for ")


@pytest.mark.parametrize(("words", "code"), [(["say", "Hi.", "--voice", "nobody"], 1), (["say", ""], 1)])
def test_say_command_fails_with_error_of_node(
    folder: Path, words: list[str], code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == code
    assert capfd.readouterr().err.startswith("reachy-agent say: ")
