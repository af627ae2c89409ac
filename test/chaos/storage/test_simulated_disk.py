"""Possible and guaranteed contents of the simulated disk after a power failure."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import pytest

from chaos.storage.file_operation import FileOperation, Make, Remove, Rename, Resize, Sync, Write
from chaos.storage.simulated_disk import SECTOR, SimulatedDisk

ROOT = PurePosixPath("/root")
FILE, DRAFT, FOLDER = ROOT / "file", ROOT / "draft", ROOT / "folder"


def lives(operations: Sequence[FileOperation], folder: Path, times: int = 60) -> Iterator[dict[str, bytes]]:
    """Yields the possible contents of files after a power failure, keyed by file name."""
    folder.mkdir(exist_ok=True)
    disk = SimulatedDisk(ROOT)
    for operation in operations:
        disk.apply(operation)
    for number in range(times):
        target = folder / str(number)
        disk.write_after_cut(target, random.Random(number))
        yield {str(path.relative_to(target)): path.read_bytes() for path in target.rglob("*") if path.is_file()}


def test_synced_data_survives_power_failure(tmp_path: Path) -> None:
    operations = [Make(FILE), Write(FILE, 0, b"kept"), Sync(FILE, 2), Sync(ROOT, 3)]
    assert list(lives(operations, tmp_path)) == [{"file": b"kept"}] * 60


def test_file_in_unsynced_folder_may_be_missing(tmp_path: Path) -> None:
    operations = [Make(FILE), Write(FILE, 0, b"kept"), Sync(FILE, 2)]
    assert {len(files) for files in lives(operations, tmp_path)} == {0, 1}


def test_unsynced_write_may_be_missing_or_torn(tmp_path: Path) -> None:
    operations = [Make(FILE), Sync(ROOT, 1), Write(FILE, 0, b"x" * 3 * SECTOR)]
    left = {files["file"] for files in lives(operations, tmp_path)}
    assert {b"", b"x" * 3 * SECTOR, bytes(SECTOR) + b"x" * SECTOR} <= left
    assert all(sector in (b"x" * SECTOR, bytes(SECTOR)) for one in left for sector in _sectors(one))


def _sectors(content: bytes) -> list[bytes]:
    return [content[start : start + SECTOR] for start in range(0, len(content), SECTOR)]


def test_data_written_during_sync_may_be_lost(tmp_path: Path) -> None:
    operations = [Make(FILE), Sync(ROOT, 1), Write(FILE, 0, b"old"), Write(FILE, 0, b"new"), Sync(FILE, 3)]
    assert {files["file"] for files in lives(operations, tmp_path)} == {b"old", b"new"}


def test_rename_is_atomic_but_content_may_be_missing_without_sync(tmp_path: Path) -> None:
    before = [Make(FILE), Write(FILE, 0, b"old"), Sync(FILE, 2), Sync(ROOT, 3)]
    careless = [*before, Make(DRAFT), Write(DRAFT, 0, b"new"), Rename(DRAFT, FILE)]
    assert {files["file"] for files in lives(careless, tmp_path)} == {b"old", b"", b"new"}
    careful = [*before, Make(DRAFT), Write(DRAFT, 0, b"new"), Sync(DRAFT, 6), Rename(DRAFT, FILE)]
    assert {files["file"] for files in lives(careful, tmp_path / "careful")} == {b"old", b"new"}


def test_name_changes_in_folder_reach_disk_in_order(tmp_path: Path) -> None:
    operations: list[FileOperation] = [Make(FILE), Make(DRAFT), Remove(FILE)]
    assert {tuple(sorted(files)) for files in lives(operations, tmp_path)} == {
        (),
        ("file",),
        ("draft", "file"),
        ("draft",),
    }


def test_files_of_missing_folder_are_missing(tmp_path: Path) -> None:
    inside = FOLDER / "inside"
    operations = [Make(FOLDER, folder=True), Make(inside), Write(inside, 0, b"x"), Sync(inside, 3), Sync(FOLDER, 4)]
    assert {len(files) for files in lives(operations, tmp_path)} == {0, 1}


def test_unsynced_truncation_may_be_missing(tmp_path: Path) -> None:
    operations = [Make(FILE), Write(FILE, 0, b"long"), Sync(FILE, 2), Sync(ROOT, 3), Resize(FILE, 1)]
    assert {files["file"] for files in lives(operations, tmp_path)} == {b"long", b"l"}


@pytest.mark.parametrize("offset", [-1, 4])
def test_running_program_reads_effects_of_all_its_operations(tmp_path: Path, offset: int) -> None:
    disk = SimulatedDisk(ROOT)
    for operation in (Make(FILE), Write(FILE, 0, b"long"), Write(FILE, offset, b"er"), Rename(FILE, DRAFT)):
        disk.apply(operation)
    disk.write_live(tmp_path / "live")
    assert (tmp_path / "live" / "draft").read_bytes() == b"longer"
