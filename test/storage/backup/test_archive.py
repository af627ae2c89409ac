import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.backup.archive import pack, program_version, unpack
from reachy_agent_ros.storage.checked_json import checked_json


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    (made / "tools" / "sources").mkdir(parents=True)
    (made / "tools" / "sources" / "wave.py").write_text("print('wave')\n")
    (made / "persona").write_text("friend\n")
    return made


@pytest.fixture
def archive(tmp_path: Path, folder: Path) -> Path:
    pack(folder, tmp_path / "backup")
    return tmp_path / "backup"


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def complaint(archive: Path, target: Path) -> str:
    with pytest.raises(AgentError) as refused:
        unpack(archive, target)
    assert refused.value.code is ErrorCode.STORAGE_FAILED
    return refused.value.message


def rewritten(archive: Path, **changes: object) -> None:
    """Replaces the manifest of an archive and updates its checksum."""
    with zipfile.ZipFile(archive) as old:
        entries = {name: old.read(name) for name in old.namelist()}
    about = json.loads(entries.pop("manifest.json"))["backup"] | changes
    with zipfile.ZipFile(archive, "w") as new:
        for name, content in {**entries, "manifest.json": checked_json("backup", about, 1).encode()}.items():
            new.writestr(name, content)


def test_unpack_restores_packed_files(archive: Path, folder: Path, tmp_path: Path) -> None:
    manifest = unpack(archive, tmp_path / "back")
    assert files(tmp_path / "back") == files(folder)
    assert manifest.program == program_version()


def test_archive_and_unpacked_files_are_private(archive: Path, tmp_path: Path) -> None:
    unpack(archive, tmp_path / "back")
    assert archive.stat().st_mode & 0o777 == 0o600
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "back").rglob("*")} == {0}


def test_backup_does_not_overwrite_existing_file(archive: Path, folder: Path) -> None:
    before = archive.read_bytes()
    with pytest.raises(AgentError, match="already exists"):
        pack(folder, archive)
    assert archive.read_bytes() == before


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_rejects_truncated_archive(
    archive: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = archive.read_bytes()
    torn = tmp_path_factory.mktemp("torn") / "backup"
    torn.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    complaint(torn, torn.parent / "back")


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(data=st.data())
def test_restored_files_are_unchanged_or_rejected_after_bit_flip(
    archive: Path, folder: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(archive.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    changed = tmp_path_factory.mktemp("changed") / "backup"
    changed.write_bytes(content)
    try:
        unpack(changed, changed.parent / "back")
    except AgentError:
        return
    assert files(changed.parent / "back") == files(
        folder
    )  # some bits do not affect the content, such as those of a date


def test_rejects_newer_archive_format(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("manifest.json", checked_json("backup", {}, 2))
    assert "written by a later version of this program. Upgrade" in complaint(archive, tmp_path / "back")


def test_rejects_backup_of_newer_program_version(archive: Path, tmp_path: Path) -> None:
    rewritten(archive, program="1000.0.0")
    assert "made by version 1000.0.0 of this program, but the installed" in complaint(archive, tmp_path / "back")


@pytest.mark.parametrize("name", ["../persona", "/tmp/persona", "tools/../../persona", "./persona", ".", ""])
def test_rejects_archive_path_outside_folder(archive: Path, tmp_path: Path, name: str) -> None:
    rewritten(archive, files={name: {"size": 1, "sha256": "0"}})
    assert "not a path within" in complaint(archive, tmp_path / "deep" / "back")
    assert not (tmp_path / "deep").exists()


def test_rejects_archived_file_missing_from_manifest(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive, "a") as content:
        content.writestr("state/more", "more")
    assert "files differ from the manifest" in complaint(archive, tmp_path / "back")


def test_rejects_file_that_is_not_a_backup(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear all")
    assert "not a backup" in complaint(tmp_path / "letter", tmp_path / "back")
    assert "cannot be restored: No such file" in complaint(tmp_path / "none", tmp_path / "back")


def test_does_not_follow_symbolic_link_in_place_of_temporary_file(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("untouched")
    (tmp_path / ".new.zip.draft").symlink_to(target)
    pack(folder, tmp_path / "new.zip")
    assert target.read_text() == "untouched"
    assert not (tmp_path / "new.zip").is_symlink()
