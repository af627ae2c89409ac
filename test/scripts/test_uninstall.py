"""Tests that the uninstall script removes the files that setup has created.

User data is removed only on request.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT

MADE = (
    *(".venv/bin", ".venv-daemon/bin", ".venv-audit/bin", "reachy_agent_ros/gateway/page"),
    *("console/node_modules", "console/generated", "reachy_agent_ros.egg-info"),
    *("build", "install", "log", "scripts/__pycache__"),
    *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", "cache", "runtime"),
)
KEPT = (
    "scripts/uninstall",
    "scripts/environment",
    "console/package.json",
    "reachy_agent_ros/cli/cli.py",
    "out/demo/reply.wav",
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Creates a checkout with files that the setup and a graph create, and returns its path.

    The files are environments, caches, records and the state.
    """
    for name in KEPT:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, tmp_path / name)
        else:
            (tmp_path / name).touch()
    for name in (*MADE, "state"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / name / "file").touch()
    return tmp_path


def uninstall(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    folders = {f"REACHY_AGENT_{name}": str(copy / name.lower()) for name in ("STATE", "CACHE", "RUNTIME")}
    command = [copy / "scripts" / "uninstall", *words]
    return subprocess.run(command, env={**os.environ, **folders}, capture_output=True, text=True)


def files(copy: Path) -> set[str]:
    return {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}


def test_uninstall_removes_only_files_of_setup(copy: Path) -> None:
    done = uninstall(copy)
    assert done.returncode == 0, done.stderr
    assert files(copy) == {*KEPT, "state/file"}
    assert f"stays in {copy / 'state'}" in done.stdout
    assert uninstall(copy).returncode == 0


def test_uninstall_removes_state_only_with_option(copy: Path) -> None:
    assert uninstall(copy, "--state").returncode == 0
    assert files(copy) == set(KEPT)


def test_list_option_removes_no_files(copy: Path) -> None:
    before = files(copy)
    listed = uninstall(copy, "--list").stdout.splitlines()
    assert str(copy / ".venv") in listed
    assert str(copy / "state") not in listed
    assert files(copy) == before


def test_unknown_option_removes_no_files(copy: Path) -> None:
    before = files(copy)
    done = uninstall(copy, "--everything")
    assert (done.returncode, files(copy)) == (1, before)
    assert "Usage:" in done.stderr


def test_uninstall_removes_no_files_while_program_of_environment_is_running(copy: Path) -> None:
    program = copy / ".venv" / "bin" / "python"
    program.symlink_to(sys.executable)
    before = files(copy)
    with subprocess.Popen([program, "-c", "input()"], stdin=subprocess.PIPE) as running:
        done = uninstall(copy)
        running.communicate(b"\n")
    assert (done.returncode, files(copy)) == (1, before)
    assert str(running.pid) in done.stderr


def test_every_git_ignored_path_is_removed_or_contains_user_data() -> None:
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if not line.startswith("#")}
    made = (ROOT / "scripts" / "uninstall").read_text().partition("MADE=(")[2].partition("\n)")[0]
    named = {Path(word).name.removeprefix("reachy_agent_ros.") for word in made.split()}
    others = {"out", "__pycache__"}  # created by a person; found by name in any folder
    assert {name for name in ignored if Path(name.removeprefix("*.")).name not in named} == others
