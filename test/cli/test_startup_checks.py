"""Tests that invalid configurations are rejected before the start. The error says how to fix them."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from reachy_agent_ros.bringup import resolve
from reachy_agent_ros.cli.startup_checks import absences, require_everything, require_free_port, require_valid
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    return tmp_path


def test_startup_check_accepts_default_arguments() -> None:
    arguments = resolve({"gateway_port": "0"})
    require_valid(arguments)
    require_free_port(arguments)
    require_everything(arguments)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"objects": "duck"}, "Invalid position 'duck': expected NAME:X:Y"),
        ({"robot": "daemon", "daemon_url": "robot"}, "Invalid daemon URL 'robot': expected http://HOST:PORT"),
        ({"model_endpoint": "localhost"}, "Invalid model_endpoint 'localhost'"),
        ({"gateway_host": "0.0.0.0"}, "reachy-agent tokens make"),
        ({"gateway_tokens": "required"}, "reachy-agent tokens make"),
        ({"gateway_certificate": "/nowhere.pem"}, "Invalid certificate or key in /nowhere.pem"),
        ({"gateway_origins": "https://robot.example, http://[::1"}, "Invalid origin 'http://[::1': expected SCHEME"),
        ({"gateway_rate": "often"}, "Invalid rate 'often': expected COUNT/UNIT, for example 200/second"),
        ({"gateway_rate": "0/second"}, "Invalid rate '0/second'"),
        ({"camera.calibration": "/nowhere.yaml"}, "/nowhere.yaml is not a calibration file"),
        ({"eye_mounting": "1,2"}, "Invalid camera mounting '1,2': expected ROLL,PITCH,YAW"),
        ({"detector": "cat"}, "Unknown detector 'cat'"),
        ({"detector": "onnx:/nowhere.onnx"}, "There is no network /nowhere.onnx"),
        ({"voice": "/nowhere.onnx"}, "There is no voice /nowhere.onnx: set voice to a Piper voice (.onnx)"),
        ({"voice": f"/{'x' * 300}"}, "x: File name too long. Check the permissions"),
        ({"detector": f"onnx:/{'x' * 300}"}, "x: File name too long. Check the path"),
        ({"speech_model": f"/{'x' * 300}"}, "x/tokenizer.json: File name too long. Check the path"),
        ({"voices": f"/{'x' * 300}"}, "x: File name too long. Check the path"),
        ({"voices": "/nowhere"}, "There is no folder /nowhere: set voices"),
        ({"audio_sink": "robot", "daemon_url": "robot"}, "Invalid daemon URL 'robot'"),
        ({"audio_source": "robot", "daemon_url": "robot"}, "Invalid daemon URL 'robot'"),
        ({"language": "de"}, "tiny.en supports only English, not 'de': set speech_model to base"),
        ({"speech_model": "large"}, "Invalid speech model 'large': expected tiny.en, base, or the folder"),
        ({"fetch_hosts": "http://example.org/page"}, "http://example.org/page"),
        ({"robot_name": " , "}, "Invalid robot_name ' , ': expected at least one name"),
        ({"web_search": "searxng"}, "Invalid SearXNG server URL ''"),
        ({"web_search": "searxng", "searxng_url": "localhost"}, "expected a URL such as http://localhost:8888"),
    ],
)
def test_startup_check_rejects_invalid_argument(given: dict[str, str], complaint: str) -> None:
    with pytest.raises(AgentError) as caught:
        require_valid(resolve(given))
    assert complaint in caught.value.message


def test_startup_check_rejects_network_address_without_tls(state: Path) -> None:
    TokenFile(state / "tokens.json").make("phone", Role.OBSERVER)
    with pytest.raises(AgentError, match="gateway_encryption:=none"):
        require_valid(resolve({"gateway_host": "0.0.0.0"}))
    require_valid(resolve({"gateway_host": "0.0.0.0", "gateway_encryption": "none"}))


@pytest.mark.parametrize("name", ["models.yaml", "mcp.yaml", "agents.yaml"])
def test_rejects_invalid_file_in_state_directory(state: Path, name: str) -> None:
    (state / name).write_text("unknown: [")
    with pytest.raises(AgentError, match=name) as caught:
        require_valid(resolve({}))
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS


def test_startup_check_rejects_port_already_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        arguments = resolve({"gateway_port": str(taken.getsockname()[1])})
        with pytest.raises(AgentError, match="gateway_port:=0"):
            require_free_port(arguments)


def test_startup_check_ignores_parameters_of_disabled_nodes() -> None:
    require_valid(resolve({"nodes": "camera", "gateway_host": "0.0.0.0", "objects": "duck"}))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"robot": "daemon", "nodes": "camera"}, "camera_device:=/dev/video0"),
        ({"robot": "daemon", "nodes": "camera", "camera_device": "/dev/video99"}, "There is no camera /dev/video99"),
        ({"robot": "daemon", "daemon_url": "http://127.0.0.1:9"}, "http://127.0.0.1:9 does not answer"),
        ({"audio_sink": "robot", "daemon_url": "http://127.0.0.1:9"}, "http://127.0.0.1:9 does not answer"),
        ({"audio_source": "robot", "daemon_url": "http://127.0.0.1:9"}, "http://127.0.0.1:9 does not answer"),
        ({"model_endpoint": "http://127.0.0.1:9/v1"}, "http://127.0.0.1:9/v1 does not respond"),
    ],
)
def test_strict_check_rejects_unavailable_device_or_server(given: dict[str, str], complaint: str) -> None:
    arguments = resolve(given)
    require_valid(arguments)
    with pytest.raises(AgentError) as caught:
        require_everything(arguments)
    assert complaint in caught.value.message


def test_startup_check_reports_missing_devices_and_servers_by_node() -> None:
    dead = {"daemon_url": "http://127.0.0.1:9", "model_endpoint": "http://127.0.0.1:9/v1"}
    reported = dict(absences(resolve({"robot": "daemon", **dead})))
    assert list(reported) == ["hardware_bridge", "camera", "agent"]
    assert "camera_device:=/dev/video0" in reported["camera"].message


def test_strict_check_accepts_model_that_responds() -> None:
    with ScriptedEndpoint() as server:
        require_everything(resolve({"model_endpoint": server.url, "model_name": "scripted"}))


def test_strict_check_times_out_if_model_does_not_respond(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reachy_agent_ros.cli.startup_checks.MODEL_TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        with pytest.raises(AgentError, match=r"within 0\.2 s") as caught:
            require_everything(resolve({"model_endpoint": url}))
    assert caught.value.code is ErrorCode.MODEL_UNAVAILABLE
