"""Tests of the precedence of the command line, environment variables, the settings file and defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.settings.effective import effective, settings_path, variable


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    return tmp_path


def test_command_line_overrides_environment_and_file_and_default(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def volume(**given: str) -> tuple[object, str]:
        setting = effective({name.replace("__", "."): text for name, text in given.items()})["tts.volume"]
        return setting.value, setting.origin

    assert volume() == (1.0, "default")
    (state / "reachy_agent.yaml").write_text("robot: mujoco\ntts:\n  volume: 0.5\n")
    assert volume() == (0.5, "reachy_agent.yaml, line 3")
    monkeypatch.setenv("REACHY_AGENT_TTS__VOLUME", "0.25")
    assert volume() == (0.25, "REACHY_AGENT_TTS__VOLUME")
    assert volume(tts__volume="0") == (0.0, "command line")


@pytest.mark.parametrize("origin", ["file", "environment", "command line"])
def test_rejects_invalid_value_from_any_origin(state: Path, monkeypatch: pytest.MonkeyPatch, origin: str) -> None:
    given = {"tts.volume": "2"} if origin == "command line" else {}
    if origin == "file":
        (state / "reachy_agent.yaml").write_text("tts: {volume: 2}\n")
    if origin == "environment":
        monkeypatch.setenv("REACHY_AGENT_TTS__VOLUME", "2")
    with pytest.raises(AgentError, match=r"Invalid tts\.volume 2(\.0)?: expected a number from 0 to 1"):
        effective(given)


def test_settings_file_is_read_from_given_state_directory(state: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "reachy_agent.yaml").write_text("robot: daemon\n")
    assert effective({"state_directory": str(other)})["robot"].value == "daemon"
    assert effective({})["robot"].value == "mujoco"


def test_environment_variable_selects_other_settings_file(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REACHY_AGENT_CONFIG", str(tmp_path / "mine.yaml"))
    (tmp_path / "mine.yaml").write_text("robot: daemon\n")
    assert settings_path() == tmp_path / "mine.yaml"
    assert effective({})["robot"].value == "daemon"


def test_state_directory_may_only_be_set_in_given_file(state: Path, tmp_path: Path) -> None:
    given = tmp_path / "mine.yaml"
    given.write_text("state_directory: /data\n")
    assert effective({}, given)["state_directory"].value == "/data"
    (state / "reachy_agent.yaml").write_text("state_directory: /data\n")
    with pytest.raises(AgentError, match="Set state_directory on the command line or as REACHY_AGENT_STATE"):
        effective({})
    assert effective({"state_directory": str(state)})["state_directory"].value == str(state)


def test_missing_given_file_is_rejected(state: Path) -> None:
    with pytest.raises(AgentError, match="Settings file not found"):
        effective({}, state / "none.yaml")


def test_variable_of_parameter_has_two_underscores() -> None:
    assert variable("hardware_bridge.breathing_pause") == "REACHY_AGENT_HARDWARE_BRIDGE__BREATHING_PAUSE"
