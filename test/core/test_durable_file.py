import os
import resource
import stat
from pathlib import Path

import pytest

from reachy_agent_ros.core.durable_file import make_folder, write_durably


def test_replaces_file_atomically_and_creates_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    write_durably(path, "long content\n")
    write_durably(path, "größer\n")
    assert path.read_text(encoding="utf-8") == "größer\n"
    assert list(path.parent.iterdir()) == [path]


def test_failed_write_leaves_target_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.mkdir()
    (path / "inside").write_text("kept")
    with pytest.raises(OSError, match="directory"):
        write_durably(path, "text")
    assert (path / "inside").read_text() == "kept"


def test_full_disk_keeps_old_file_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_durably(path, "kept")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_durably(path, "x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


def test_writes_bytes_to_file_unchanged(tmp_path: Path) -> None:
    write_durably(tmp_path / "file", b"\xff\r\n\x00")
    assert (tmp_path / "file").read_bytes() == b"\xff\r\n\x00"


def test_creates_private_folder_with_parents(tmp_path: Path) -> None:
    folder = tmp_path / "above" / "folder"
    make_folder(folder, 0o700)
    make_folder(folder)
    assert folder.is_dir()
    assert folder.stat().st_mode & 0o777 == 0o700


def test_rejects_folder_in_place_of_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"[Ee]xists|directory"):
        make_folder(tmp_path / "file" / "folder")


def test_private_file_is_readable_only_by_owner_for_any_umask(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_durably(tmp_path / "secret", "token")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_symlink_in_place_of_temporary_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".note.draft").symlink_to(tmp_path / "target")
    (tmp_path / "target").write_text("untouched")
    write_durably(tmp_path / "note", "new")
    assert (tmp_path / "target").read_text() == "untouched"
    assert (tmp_path / "note").read_text() == "new"
    assert not (tmp_path / "note").is_symlink()
