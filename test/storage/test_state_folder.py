"""Tests that the state directory of a graph must be writable, and that no other graph may use it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.state_folder import LOCK, claimed_state, write_problem

HOLD = """
import sys
from pathlib import Path
from reachy_agent_ros.storage.state_folder import claimed_state
with claimed_state(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
QUESTION = """
import sys
from pathlib import Path
from reachy_agent_ros.storage.state_folder import write_problem
print(write_problem(Path(sys.argv[1])))
"""


def test_second_graph_with_same_state_directory_is_rejected(tmp_path: Path) -> None:
    with claimed_state(tmp_path), pytest.raises(AgentError, match=str(os.getpid())) as caught, claimed_state(tmp_path):
        pass
    assert caught.value.code is ErrorCode.SERVER_UNAVAILABLE
    assert "state_directory:=" in caught.value.message


def test_end_of_graph_releases_state_directory(tmp_path: Path) -> None:
    for _ in range(2):
        with claimed_state(tmp_path):
            pass


def test_killed_graph_releases_state_directory(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(AgentError, match=str(holder.pid)), claimed_state(tmp_path):
            pass
        holder.kill()
    with claimed_state(tmp_path):
        assert (tmp_path / LOCK).read_text() == str(os.getpid())


def test_creates_missing_state_directory_for_owner_only(tmp_path: Path) -> None:
    with claimed_state(tmp_path / "new" / "state"):
        assert (tmp_path / "new" / "state").stat().st_mode & 0o077 == 0


def test_rejects_state_directory_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AgentError, match="Cannot write to") as caught, claimed_state(tmp_path / "file" / "state"):
        pass
    assert caught.value.code is ErrorCode.STORAGE_FAILED
    assert "state_directory:=" in caught.value.message


def test_check_for_write_access_leaves_no_file(tmp_path: Path) -> None:
    assert write_problem(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
@pytest.mark.parametrize(
    ("mount", "fill", "reason"),
    [
        (("--ro-bind", "{0}", "{0}"), "true", "Read-only file system"),
        (("--size", "65536", "--tmpfs", "{0}"), "head -c 65536 /dev/zero > {0}/full", "No space left on device"),
    ],
)
def test_reports_full_or_read_only_disk(tmp_path: Path, mount: Sequence[str], fill: str, reason: str) -> None:
    shell = f'{fill.format(tmp_path)} 2>/dev/null; exec "$@"'
    box = ["bwrap", "--dev-bind", "/", "/", *(part.format(tmp_path) for part in mount), "sh", "-c", shell, "sh"]
    command = [*box, sys.executable, "-c", QUESTION, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True)
    if "bwrap:" in ended.stderr:
        pytest.skip("cannot create a mount namespace on this machine")
    assert ended.stdout.strip() == f"Cannot write to {tmp_path}: {reason}."
