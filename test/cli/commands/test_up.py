"""Tests of starts that are rejected. The command prints how to fix the problem and starts no node."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import EXIT_DEGRADED, main
from reachy_agent_ros.cli.commands.up import repeated_words
from reachy_agent_ros.core.instance import claim
from reachy_agent_ros.storage.state_folder import claimed_state
from reachy_agent_ros.supervision.record import graph_directory, load


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path / "runtime"))
    return tmp_path


def rejection(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Runs `reachy-agent up`, which must fail before it starts a node. Returns the exit code and the error output."""
    code = main(["up", *words])
    assert load("/reachy_mini") is None
    printed = capfd.readouterr()
    assert printed.out == ""
    return code, printed.err


@pytest.mark.parametrize("option", [(), ("--detach",), ("--check",)])
def test_rejects_port_already_in_use_before_anything_starts(
    capfd: pytest.CaptureFixture[str], folders: Path, option: tuple[str, ...]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, error = rejection(capfd, *option, f"gateway_port:={taken.getsockname()[1]}")
    assert (code, "gateway_port:=0" in error) == (3, True)
    assert not list(folders.rglob("gateway.log"))


def test_rejects_network_access_to_gateway_without_tokens(capfd: pytest.CaptureFixture[str]) -> None:
    code, error = rejection(capfd, "gateway_host:=0.0.0.0")
    assert (code, "reachy-agent tokens make" in error) == (2, True)


def test_rejects_second_graph_in_same_namespace(capfd: pytest.CaptureFixture[str]) -> None:
    with claim("/reachy_mini/graph"):
        code, error = rejection(capfd)
    assert (code, "Stop it first: reachy-agent down" in error) == (3, True)


def test_rejects_state_directory_of_another_graph(capfd: pytest.CaptureFixture[str], folders: Path) -> None:
    with claimed_state(folders / "state"):
        code, error = rejection(capfd, "namespace:=/other")
    assert (code, "state_directory:=" in error) == (3, True)


def test_rejects_state_directory_that_is_not_writable(capfd: pytest.CaptureFixture[str], folders: Path) -> None:
    (folders / "file").touch()
    code, error = rejection(capfd, f"state_directory:={folders / 'file' / 'state'}")
    assert (code, error.startswith("reachy-agent up: Cannot write to ")) == (1, True)


def test_check_reports_missing_devices_without_starting_graph(capfd: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["up", "--check", "nodes:=camera,agent", "robot:=daemon", "camera_device:=/dev/video99"]) == EXIT_DEGRADED
    )
    assert capfd.readouterr().out.startswith("camera will be degraded: There is no camera /dev/video99")
    assert main(["up", "--check", "nodes:=camera,agent"]) == 0
    assert capfd.readouterr().out == "Nothing is missing.\n"
    assert load("/reachy_mini") is None


def test_check_rejects_invalid_setting(capfd: pytest.CaptureFixture[str]) -> None:
    code, error = rejection(capfd, "--check", "objects:=duck")
    assert (code, "Invalid position 'duck'" in error) == (2, True)


def test_strict_start_rejects_unreachable_model_server(capfd: pytest.CaptureFixture[str]) -> None:
    code, error = rejection(capfd, "--strict", "gateway_port:=0", "model_endpoint:=http://127.0.0.1:9/v1")
    assert (code, "does not respond" in error) == (1, True)


def test_strict_detached_start_rejects_missing_camera(capfd: pytest.CaptureFixture[str]) -> None:
    code, error = rejection(capfd, "--strict", "--detach", "nodes:=camera", "robot:=daemon")
    assert (code, "camera_device:=/dev/video0" in error) == (1, True)


@pytest.mark.parametrize(
    ("node", "argument", "kind"),
    [("stt", "audio_source:=microphone", "microphone"), ("tts", "audio_sink:=speaker", "loudspeaker")],
)
def test_strict_detached_start_rejects_missing_sound_device(
    capfd: pytest.CaptureFixture[str],
    folders: Path,
    monkeypatch: pytest.MonkeyPatch,
    node: str,
    argument: str,
    kind: str,
) -> None:
    (folders / "asound.conf").write_text("pcm.!default { type nothing }\n")  # hides the devices of this machine
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(folders / "asound.conf"))
    code, error = rejection(capfd, "--strict", "--detach", f"nodes:={node}", argument)
    assert (code, f"No {kind} is connected: connect one" in error) == (1, True)


def test_rejected_start_keeps_log_of_running_graph(capfd: pytest.CaptureFixture[str]) -> None:
    log = graph_directory("/reachy_mini") / "up.log"
    log.write_text("earlier line")
    with claim("/reachy_mini/graph"):
        code, error = rejection(capfd, "--detach")
    assert (code, "already running" in error) == (3, True)
    assert log.read_text() == "earlier line"
    assert [path for path in log.parent.iterdir() if path.name.startswith("up.")] == [log]


@pytest.mark.parametrize(
    "words", [["robot:=none", "--strict"], ["--config", "my.yaml", "tts.volume:=0.5", "nodes:=tts"], []]
)
def test_repeated_arguments_omit_output_and_detach_options(words: list[str]) -> None:
    command = ["/venv/bin/python", "/venv/bin/reachy-agent", "up", "--detach", "--quiet", "--json", *words]
    assert sorted(repeated_words(command)) == sorted(words)
