"""Conversion of `strace` output to file operations."""

from pathlib import PurePosixPath

import pytest

from chaos.storage.file_operation import Acknowledge, Make, Remove, Rename, Resize, Sync, Write
from chaos.storage.strace_log import StraceLog

ROOT = PurePosixPath("/state")
FILE = ROOT / "file"


def text(value: str) -> str:
    return '"' + "".join(f"\\x{byte:02x}" for byte in value.encode()) + '"'


def operations(*lines: str) -> list[object]:
    log = StraceLog(ROOT)
    log.read(f"7 {line}\n" for line in lines)
    return list(log.operations)


def opened(path: object = FILE, flags: str = "O_WRONLY|O_CREAT|O_CLOEXEC", descriptor: int = 5) -> str:
    return f"openat(AT_FDCWD, {text(str(path))}, {flags}, 0600) = {descriptor}"


def test_parses_creation_writes_resize_and_sync_of_file() -> None:
    assert operations(
        opened(),
        f"write(5, {text('ab')}, 2) = 2",
        f"write(5, {text('cde')}, 3) = 2",
        "fsync(5)                       = 0",
        "close(5) = 0",
        opened(),
        f"pwrite64(5, {text('z')}, 1, 9) = 1",
        "ftruncate(5, 3) = 0",
    ) == [
        Make(FILE),
        Write(FILE, 0, b"ab"),
        Write(FILE, 2, b"cd"),
        Sync(FILE, 3),
        Write(FILE, 9, b"z"),
        Resize(FILE, 3),
    ]


def test_write_in_append_mode_is_parsed_with_offset_minus_one() -> None:
    lines = (opened(flags="O_RDWR|O_CREAT|O_APPEND"), f"write(5, {text('ab')}, 2) = 2")
    assert operations(*lines)[-1] == Write(FILE, -1, b"ab")


def test_parses_creation_rename_and_removal_of_files_and_folders() -> None:
    folder, other = ROOT / "folder", ROOT / "folder" / "other"
    assert operations(
        f"mkdir({text(str(folder))}, 0777) = 0",
        opened(),
        f"rename({text(str(FILE))}, {text(str(other))}) = 0",
        f"write(5, {text('a')}, 1) = 1",
        f"unlink({text(str(other))}) = 0",
        f"write(5, {text('b')}, 1) = 1",
    ) == [Make(folder, folder=True), Make(FILE), Rename(FILE, other), Write(other, 0, b"a"), Remove(other)]


def test_resolves_path_relative_to_open_folder() -> None:
    folder = ROOT / "folder"
    lines = (f"mkdir({text(str(folder))}, 0777) = 0", opened(folder, "O_RDONLY|O_DIRECTORY", 6))
    assert operations(*lines, f"unlinkat(6, {text('inside')}, 0) = 0")[-1] == Remove(folder / "inside")


def test_sync_applies_to_operations_before_its_start() -> None:
    log = StraceLog(ROOT)
    log.read(
        (
            f"7 {opened()}\n",
            "7 fsync(5 <unfinished ...>\n",
            f"8 write(5, {text('a')}, 1) = 1\n",
            "7 <... fsync resumed>) = 0\n",
        )
    )
    assert log.operations == [Make(FILE), Write(FILE, 0, b"a"), Sync(FILE, 1)]


def test_ignores_failed_system_calls_and_calls_in_other_folders() -> None:
    assert operations(opened("/elsewhere"), "fsync(5) = 0", "fsync(9) = -1 EBADF (Bad file descriptor)") == []


def test_number_on_standard_output_is_parsed_as_acknowledgment() -> None:
    assert operations(f"write(1, {text('12')}, 3) = 3") == [Acknowledge(12)]


def test_raises_error_for_unsupported_system_call() -> None:
    with pytest.raises(ValueError, match="sendfile"):
        operations(opened(), "sendfile(5, 6, NULL, 100) = 100")
