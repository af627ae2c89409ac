"""Starts that are rejected: the command ends with the fix, and no node has run."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.storage.state_folder import claimed_state
from reachy_agent_ros.supervision.record import load


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path / "runtime"))
    return tmp_path


def rejection(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Runs `up`, which must fail before it starts a node. Returns its exit code and error."""
    code = main(["up", *words])
    assert load("/reachy_mini") is None
    printed = capfd.readouterr()
    assert printed.out == ""
    return code, printed.err


@pytest.mark.parametrize("detach", [(), ("--detach",)])
def test_rejects_taken_port_before_anything_starts(
    capfd: pytest.CaptureFixture[str], folders: Path, detach: tuple[str, ...]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, error = rejection(capfd, *detach, f"gateway_port:={taken.getsockname()[1]}")
    assert (code, "gateway_port:=0" in error) == (3, True)
    assert not list(folders.rglob("gateway.log"))


def test_rejects_gateway_that_would_be_open_without_tokens(capfd: pytest.CaptureFixture[str]) -> None:
    code, error = rejection(capfd, "gateway_host:=0.0.0.0")
    assert (code, "reachy-agent tokens make" in error) == (2, True)


def test_rejects_state_directory_of_another_graph(capfd: pytest.CaptureFixture[str], folders: Path) -> None:
    with claimed_state(folders / "state"):
        code, error = rejection(capfd, "namespace:=/other")
    assert (code, "state_directory:=" in error) == (3, True)


def test_rejects_state_directory_that_is_not_writable(capfd: pytest.CaptureFixture[str], folders: Path) -> None:
    (folders / "file").touch()
    code, error = rejection(capfd, f"state_directory:={folders / 'file' / 'state'}")
    assert (code, error.startswith("reachy-agent up: Cannot write to ")) == (1, True)


def test_strict_start_rejects_dead_model(capfd: pytest.CaptureFixture[str]) -> None:
    code, error = rejection(capfd, "--strict", "gateway_port:=0", "model_endpoint:=http://127.0.0.1:9/v1")
    assert (code, "does not respond" in error) == (1, True)


def test_strict_detached_start_rejects_missing_camera(capfd: pytest.CaptureFixture[str]) -> None:
    code, error = rejection(capfd, "--strict", "--detach", "nodes:=camera", "robot:=daemon")
    assert (code, "camera_device:=/dev/video0" in error) == (1, True)
