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
    """Writes another manifest into an archive, with a check sum that fits."""
    with zipfile.ZipFile(archive) as old:
        entries = {name: old.read(name) for name in old.namelist()}
    about = json.loads(entries.pop("manifest.json"))["backup"] | changes
    with zipfile.ZipFile(archive, "w") as new:
        for name, content in {**entries, "manifest.json": checked_json("backup", about, 1).encode()}.items():
            new.writestr(name, content)


def test_what_is_packed_comes_back(archive: Path, folder: Path, tmp_path: Path) -> None:
    manifest = unpack(archive, tmp_path / "back")
    assert files(tmp_path / "back") == files(folder)
    assert manifest.program == program_version()


def test_only_its_owner_can_read_it_and_what_comes_of_it(archive: Path, tmp_path: Path) -> None:
    unpack(archive, tmp_path / "back")
    assert archive.stat().st_mode & 0o777 == 0o600
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "back").rglob("*")} == {0}


def test_a_backup_is_never_overwritten(archive: Path, folder: Path) -> None:
    before = archive.read_bytes()
    with pytest.raises(AgentError, match="there already"):
        pack(folder, archive)
    assert archive.read_bytes() == before


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_whatever_is_cut_off_is_refused(
    archive: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = archive.read_bytes()
    torn = tmp_path_factory.mktemp("torn") / "backup"
    torn.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    complaint(torn, torn.parent / "back")


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(data=st.data())
def test_no_changed_bit_changes_what_comes_back(
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
    assert files(changed.parent / "back") == files(folder)  # a bit of the zip file that means nothing, such as a date


def test_a_later_format_is_refused(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("manifest.json", checked_json("backup", {}, 2))
    assert "written by a later version of this program. Upgrade" in complaint(archive, tmp_path / "back")


def test_a_backup_of_a_later_program_is_refused(archive: Path, tmp_path: Path) -> None:
    rewritten(archive, program="1000.0.0")
    assert "made by version 1000.0.0 of this program, which is" in complaint(archive, tmp_path / "back")


@pytest.mark.parametrize("name", ["../persona", "/tmp/persona", "tools/../../persona", "./persona", ".", ""])
def test_no_path_leads_out_of_the_folder(archive: Path, tmp_path: Path, name: str) -> None:
    rewritten(archive, files={name: {"size": 1, "sha256": "0"}})
    assert "no path within" in complaint(archive, tmp_path / "deep" / "back")
    assert not (tmp_path / "deep").exists()


def test_a_file_that_the_manifest_does_not_name_is_refused(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive, "a") as content:
        content.writestr("state/more", "more")
    assert "other files than it says" in complaint(archive, tmp_path / "back")


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear all")
    assert "no backup" in complaint(tmp_path / "letter", tmp_path / "back")
    assert "cannot be restored: No such file" in complaint(tmp_path / "none", tmp_path / "back")


def test_link_in_place_of_draft_is_not_followed(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("untouched")
    (tmp_path / ".new.zip.draft").symlink_to(target)
    pack(folder, tmp_path / "new.zip")
    assert target.read_text() == "untouched"
    assert not (tmp_path / "new.zip").is_symlink()
