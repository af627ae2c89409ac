"""Tests of the settings file: both file formats, edits that keep comments, and errors for invalid files."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.settings.declarations import declared
from reachy_agent_ros.settings.file import SettingsFile
from reachy_agent_ros.settings.parameter import Value

WRITTEN = """\
# My robot.
robot: daemon # on the desk

tts: # voice
  volume: 0.5
  device: "0" # the first one
"""


def file_of(folder: Path, text: str) -> SettingsFile:
    path = folder / "reachy_agent.yaml"
    path.write_text(text, "utf-8")
    return SettingsFile(path)


def values(file: SettingsFile) -> dict[str, Value]:
    return {entry.name: entry.value for entry in file.entries()}


def test_settings_file_is_read_with_line_numbers(tmp_path: Path) -> None:
    entries = file_of(tmp_path, WRITTEN).entries()
    assert [(one.name, one.value, one.line) for one in entries] == [
        ("robot", "daemon", 2),
        ("tts.volume", 0.5, 5),
        ("tts.device", "0", 6),
    ]


def test_reads_parameter_file_of_ros(tmp_path: Path) -> None:
    file = file_of(tmp_path, "/reachy_mini/tts:\n  ros__parameters:\n    volume: 0.5\n")
    assert values(file) == {"tts.volume": 0.5}
    file.set("tts.wobble", 0.0)
    assert values(file) == {"tts.volume": 0.5, "tts.wobble": 0.0}


@pytest.mark.parametrize("text", ["tts:\n  ros__parameters:\n", "/reachy_mini/tts:\n  ros__parameters: {}\n"])
def test_edits_empty_section_of_ros_parameter_file(tmp_path: Path, text: str) -> None:
    file = file_of(tmp_path, text)
    assert file.entries() == []
    assert not file.unset("tts.volume")
    file.set("tts.volume", 0.3)
    assert values(file) == {"tts.volume": 0.3}
    assert "ros__parameters" in file.path.read_text()


def test_rejects_edit_of_ros_parameter_file_without_mapping(tmp_path: Path) -> None:
    file = file_of(tmp_path, "tts:\n  ros__parameters: 5\n")
    with pytest.raises(AgentError, match="line 2: expected the parameters of tts below it"):
        file.set("tts.volume", 0.3)


@pytest.mark.parametrize("text", ["", "# nothing\n", "tts:\n", "tts:\n  ros__parameters:\n"])
def test_file_without_settings_is_valid(tmp_path: Path, text: str) -> None:
    assert file_of(tmp_path, text).entries() == []


def test_missing_file_has_no_settings(tmp_path: Path) -> None:
    assert SettingsFile(tmp_path / "none.yaml").entries() == []


def test_edit_keeps_comments_and_order_and_quotes(tmp_path: Path) -> None:
    file = file_of(tmp_path, WRITTEN)
    file.set("tts.volume", 0.25)
    file.set("hardware_bridge.breathing_pause", 2.0)
    assert file.path.read_text() == WRITTEN.replace("0.5", "0.25") + "hardware_bridge:\n  breathing_pause: 2.0\n"
    assert file.unset("hardware_bridge.breathing_pause")
    assert not file.unset("hardware_bridge.breathing_pause")
    assert "# the first one" in file.path.read_text()


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("robot: mujoco\ntts:\n  volum: 1\n", 3, "Did you mean tts.volume?"),
        ("robt: daemon\n", 1, "Did you mean robot?"),
        ("volume: 0.5\n", 1, "Did you mean tts.volume?"),
        ("robot: mujoco\n\ntts:\n  volume: loud\n", 4, "expected a number from 0 to 1"),
        ("tts:\n  device: 0\n", 2, 'Write the number in quotes: "0"'),
        ("robot: mujoco\nrobot: daemon\n", 2, "'robot' is set twice, first in line 1: delete one of them."),
        ("tts:\n  volume: 1\nrobot: mujoco\ntts:\n  speed: 1\n", 4, "'tts' is set twice, first in line 1"),
        ("tts:\n  volume: 1\n\n  volume: 0.5\n", 4, "'volume' is set twice, first in line 2"),
        ("tts:\n\tvolume: 1\n", 2, "cannot start any token"),
        ("tts: 5\n", 1, "expected the parameters of tts below it"),
        ("- robot\n", 1, "expected lines of the form NAME: VALUE"),
        ("robot: !!python/object:os.system x\n", 1, "expected mujoco or daemon"),
        ("robot: [a\n", 2, "expected"),
    ],
)
def test_error_for_invalid_settings_names_line_and_remedy(tmp_path: Path, text: str, line: int, problem: str) -> None:
    file = file_of(tmp_path, text)
    with pytest.raises(AgentError) as caught:
        file.entries()
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    assert caught.value.message.startswith(f"{file.path}, line {line}: ")
    assert problem in caught.value.message


def test_error_for_invalid_settings_lists_every_mistake(tmp_path: Path) -> None:
    file = file_of(tmp_path, "robot: arm\ntts:\n  volume: 2.0\n  speed: 1.0\nvison: {}\n")
    with pytest.raises(AgentError) as caught:
        file.entries()
    starts = [line.partition(": ")[0] for line in caught.value.message.splitlines()]
    assert starts == [f"{file.path}, line {number}" for number in (1, 3, 4, 5)]


def test_edit_does_not_change_invalid_file(tmp_path: Path) -> None:
    file = file_of(tmp_path, "robot: mujoco\nrobot: daemon\n")
    with pytest.raises(AgentError):
        file.set("robot", "mujoco")
    assert file.path.read_text() == "robot: mujoco\nrobot: daemon\n"


def test_unwritable_settings_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AgentError) as caught:
        SettingsFile(tmp_path / "file" / "reachy_agent.yaml").set("robot", "daemon")
    assert caught.value.code is ErrorCode.STORAGE_FAILED


def test_simultaneous_writers_lose_no_settings(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from reachy_agent_ros.settings.file import SettingsFile\n"
        "for i in range(20): SettingsFile(Path(sys.argv[1])).set(sys.argv[2], i / 20)"
    )
    file = SettingsFile(tmp_path / "reachy_agent.yaml")
    names = ("tts.volume", "tts.wobble")
    processes = [subprocess.Popen([sys.executable, "-c", program, str(file.path), name]) for name in names]
    assert [process.wait(60.0) for process in processes] == [0, 0]
    assert values(file) == dict.fromkeys(names, 0.95)


@given(st.text(max_size=200))
def test_any_settings_text_is_read_or_rejected(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_text(text, "utf-8", errors="surrogatepass")
    with contextlib.suppress(AgentError):  # any other exception fails the test
        assert {entry.name for entry in SettingsFile(path).entries()} <= set(declared())
