import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import (
    cache_directory,
    configuration_file,
    runtime_directory,
    state_directory,
    temporary_state_directory,
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sets the environment of a user who selects no folders by environment variables. Returns the home folder."""
    for name in (
        "REACHY_AGENT_STATE",
        "REACHY_AGENT_RUNTIME",
        "XDG_STATE_HOME",
        "XDG_RUNTIME_DIR",
        "XDG_CACHE_HOME",
        "REACHY_AGENT_CACHE",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return tmp_path


def test_default_state_folder_is_in_home(home: Path) -> None:
    assert state_directory() == home / ".local" / "state" / "reachy_agent"


def test_state_folder_follows_xdg_variable(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "xdg"))
    assert state_directory() == home / "xdg" / "reachy_agent"


def test_cache_folder_follows_xdg_variable(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_directory() == home / ".cache" / "reachy_agent"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "xdg"))
    assert cache_directory() == home / "xdg" / "reachy_agent"


def test_runtime_folder_follows_xdg_variable(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home / "run"))
    assert runtime_directory() == home / "run" / "reachy_agent"


def test_runtime_folder_falls_back_to_temporary_folder(home: Path) -> None:
    assert runtime_directory().parent == home / "tmp"


def test_reachy_agent_variables_override_xdg_variables(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "xdg"))
    monkeypatch.setenv("REACHY_AGENT_STATE", str(home / "mine"))
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(home / "running"))
    assert state_directory() == home / "mine"
    assert runtime_directory() == home / "running"


@pytest.mark.parametrize("named", [True, False])
def test_temporary_state_folder_is_deleted_and_earlier_one_is_used_again(
    home: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    (home / "tmp").mkdir()
    if named:
        monkeypatch.setenv("REACHY_AGENT_STATE", str(home / "mine"))
    before = state_directory()
    with temporary_state_directory():
        temporary = state_directory()
        assert temporary != before
    assert not temporary.exists()
    assert state_directory() == before


def test_creates_state_and_runtime_folders_for_owner_only(home: Path) -> None:
    for folder in (state_directory(), runtime_directory()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.stat().st_uid == home.stat().st_uid


def test_keeps_permissions_of_existing_folder(home: Path) -> None:
    (state_directory() / "kept").write_text("data")
    assert (state_directory() / "kept").read_text() == "data"


@pytest.mark.parametrize(
    ("variable", "folder_of"), [("REACHY_AGENT_STATE", state_directory), ("REACHY_AGENT_RUNTIME", runtime_directory)]
)
def test_failed_folder_creation_names_environment_variable(
    home: Path, monkeypatch: pytest.MonkeyPatch, variable: str, folder_of: Callable[[], Path]
) -> None:
    (home / "file").touch()
    monkeypatch.setenv(variable, str(home / "file" / "folder"))
    with pytest.raises(AgentError, match=f"Set {variable} to a folder") as caught:
        folder_of()
    assert caught.value.code is ErrorCode.STORAGE_FAILED


def test_rejects_runtime_folder_of_another_user(home: Path) -> None:
    folder = runtime_directory()
    folder.chmod(0o777)
    with pytest.raises(AgentError, match="may belong to another user"):
        runtime_directory()
    folder.rmdir()
    (home / "elsewhere").mkdir()
    folder.symlink_to(home / "elsewhere")
    with pytest.raises(AgentError, match="REACHY_AGENT_RUNTIME"):
        runtime_directory()


def test_finds_configuration_file_in_checkout() -> None:
    assert configuration_file("demo/look_left.wav").is_file()


def test_missing_configuration_file_is_named_in_error() -> None:
    with pytest.raises(AgentError, match="no_such_file") as caught:
        configuration_file("no_such_file")
    assert caught.value.code is ErrorCode.INTERNAL
