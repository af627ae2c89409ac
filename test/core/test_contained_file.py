from __future__ import annotations

import os
from pathlib import Path

import pytest

from reachy_agent_ros.core.contained_file import read_inside
from reachy_agent_ros.core.errors import AgentError, ErrorCode


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "file.txt").write_text("inside")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file.txt").write_text("secret")
    return folder


def refusal(root: Path, path: Path) -> str:
    with pytest.raises(AgentError) as caught:
        read_inside(root, path, 100)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    return caught.value.message


def test_reads_file_in_root_folder(root: Path) -> None:
    assert read_inside(root, root / "inner" / "file.txt", 100) == b"inside"
    assert read_inside(root, root / "inner" / "file.txt", 3) == b"insi"


def test_reads_file_if_root_folder_is_symlink(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert read_inside(tmp_path / "link", tmp_path / "link" / "inner" / "file.txt", 100) == b"inside"


@pytest.mark.parametrize("target", ["../secret.txt", "inner/file.txt", "/etc/passwd", "nowhere"])
def test_rejects_symlink_to_any_target(root: Path, target: str) -> None:
    (root / "link.txt").symlink_to(target)
    assert "is a link" in refusal(root, root / "link.txt")


def test_rejects_file_in_symlinked_folder(root: Path, tmp_path: Path) -> None:
    (root / "folder").symlink_to(tmp_path / "elsewhere")
    assert "is reached through one" in refusal(root, root / "folder" / "file.txt")


def test_rejects_path_with_parent_reference(root: Path) -> None:
    assert "is a link or is reached through one" in refusal(root, root / "inner" / ".." / ".." / "secret.txt")


def test_rejects_pipe_and_folder_and_missing_file_without_blocking(root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert refusal(root, root / "pipe").endswith("is not a file.")
    assert refusal(root, root / "inner").endswith("is not a file.")
    assert refusal(root, root / "none").endswith("does not exist.")
