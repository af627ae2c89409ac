"""Zip archive of a folder, with a manifest that lists the checksum of every file."""

from __future__ import annotations

import hashlib
import os
import time
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import IO

from pydantic import TypeAdapter

from reachy_agent_ros.core.durable_file import open_new, sync_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.checked_json import checked_json, read_checked_json
from reachy_agent_ros.storage.storing import storing

_FORMAT = 1

_MANIFEST = "manifest.json"
_FILES = "state/"
_LARGEST_MANIFEST = 64 * 1024 * 1024
_PIECE = 1024 * 1024


@dataclass(frozen=True)
class FileRecord:
    """Size and checksum of a file in a backup.

    Attributes:
        size: Size, bytes.
        sha256: SHA-256 of its content, hexadecimal.
    """

    size: int
    sha256: str


@dataclass(frozen=True)
class BackupManifest:
    """Contents of a backup.

    Attributes:
        made_at: Creation time, s since the epoch.
        program: Version of the program that made the backup.
        files: Files by path, relative to the state directory.
    """

    made_at: float
    program: str
    files: Mapping[str, FileRecord]


_ADAPTER = TypeAdapter(BackupManifest)


def pack(folder: Path, archive: Path) -> BackupManifest:
    """Writes a folder into an archive that only its owner can read. Syncs the archive to disk before returning.

    Args:
        folder: Folder to pack. Nothing may write to it during the call.
        archive: New file.

    Raises:
        AgentError: `STORAGE_FAILED`: the archive cannot be written or already exists. No partial file remains.
    """
    draft = archive.with_name(f".{archive.name}.draft")
    with storing(f"{archive} cannot be written"):
        if archive.exists():
            raise FileExistsError(0, "the file already exists")
        try:
            with open_new(draft) as file:
                manifest = _write(folder, file)
                file.flush()
                os.fsync(file.fileno())
            draft.rename(archive)
        finally:
            draft.unlink(missing_ok=True)
        sync_folder(archive.parent)
    return manifest


def unpack(archive: Path, folder: Path) -> BackupManifest:
    """Writes the files of a backup into a folder. Syncs the files to disk before returning.

    Every file is verified against its checksum. After an error, the content of the folder is not usable.

    Args:
        archive: Backup to unpack.
        folder: Empty folder.

    Raises:
        AgentError: `STORAGE_FAILED`: the file cannot be read, is truncated, damaged, not a backup, or from a later
            program version, or the folder cannot be written.
    """
    with storing(f"{archive} cannot be restored"):
        try:
            with zipfile.ZipFile(archive) as content:
                manifest = _manifest_of(content)
                for name, record in manifest.files.items():
                    with content.open(_FILES + name) as source:
                        _unpack(source, folder / name, record)
        # Reading a corrupted zip file may raise any of these exceptions.
        except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, RuntimeError) as error:
            message = f"{archive} is damaged, truncated or not a backup: {error}."
            raise AgentError(ErrorCode.STORAGE_FAILED, message) from error
        for made in (folder, *folder.rglob("*/")):
            made.chmod(0o700)
            sync_folder(made)
    return manifest


def program_version() -> str:
    """Returns the version of this program."""
    return version("reachy_agent_ros")


def _write(folder: Path, file: IO[bytes]) -> BackupManifest:
    files = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as content:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder).as_posix()
            with path.open("rb") as source:
                files[name] = FileRecord(path.stat().st_size, hashlib.file_digest(source, "sha256").hexdigest())
            content.write(path, _FILES + name)
        manifest = BackupManifest(round(time.time(), 3), program_version(), files)
        content.writestr(_MANIFEST, _manifest_text(manifest))
    return manifest


def _manifest_of(content: zipfile.ZipFile) -> BackupManifest:
    if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in content.infolist()):
        raise ValueError("unsupported compression method")
    if content.getinfo(_MANIFEST).file_size > _LARGEST_MANIFEST:
        raise ValueError("its manifest is too large")
    manifest = _read_manifest(content.read(_MANIFEST).decode())
    if sorted(content.namelist()) != sorted((_MANIFEST, *(_FILES + name for name in manifest.files))):
        raise ValueError("its files differ from the manifest")
    return manifest


def _unpack(source: IO[bytes], path: Path, record: FileRecord) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, left = hashlib.sha256(), record.size
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while piece := source.read(_PIECE):
            digest.update(piece)
            left -= len(piece)
            if left < 0:  # a decompression bomb would fill the disk
                break
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    if left or digest.hexdigest() != record.sha256:
        raise ValueError(f"{path.name} does not match its checksum")


def _manifest_text(manifest: BackupManifest) -> str:
    """Serializes a manifest and adds its checksum."""
    return checked_json("backup", asdict(manifest), _FORMAT)


def _read_manifest(text: str) -> BackupManifest:
    """Parses the output of `_manifest_text`. Rejects a backup that this program cannot restore.

    Raises:
        ValueError: The text is damaged or not a manifest, or a path in it leads out of the state directory.
        AgentError: `STORAGE_FAILED`: a later version of this program made the backup.
    """
    manifest = _ADAPTER.validate_json(read_checked_json("backup", text, _FORMAT), strict=True)
    if _numbers(manifest.program) > _numbers(program_version()):
        programs = f"version {manifest.program} of this program, but the installed version is {program_version()}"
        message = f"The backup was made by {programs}. Upgrade the program first."
        raise AgentError(ErrorCode.STORAGE_FAILED, message)
    for name in manifest.files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or str(path) != name or name == ".":
            raise ValueError(f"{name!r:.80} is not a path within the state directory")
    return manifest


def _numbers(program: str) -> tuple[int, ...]:
    return tuple(int(part) for part in program.split("."))
