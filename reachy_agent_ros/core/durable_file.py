"""Atomic, durable writing of small files that must survive a power failure."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO


def write_durably(path: Path, content: str | bytes) -> None:
    """Writes a file atomically and syncs it to disk before returning.

    Only its owner can read the file, from the moment it is created.


    Args:
        path: Path of the file. Missing folders are created.
        content: Complete content; text is written as UTF-8.


    Raises:
        OSError: The file could not be written, and the old content is kept; or the folder could not be synced.
        UnicodeEncodeError: The text cannot be encoded. The old content is kept.
    """
    make_folder(path.parent)
    draft = path.with_name(f".{path.name}.draft")
    try:
        with open_new(draft) as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except (OSError, UnicodeEncodeError):
        draft.unlink(missing_ok=True)  # on a full disk, the next attempt needs the space
        raise
    sync_folder(path.parent)


def open_new(path: Path) -> IO[bytes]:
    """Creates a file that only its owner can read. First removes a link or an old file at the same path.

    Raises:
        OSError: The file cannot be created.
    """
    path.unlink(missing_ok=True)
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "wb")


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Creates a folder and its missing parents, and syncs them to disk before returning.

    Args:
        path: Path of the folder.
        mode: Permissions of the folder itself, reduced by the umask.

    Raises:
        OSError: The folder cannot be created.
    """
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(mode=mode, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Syncs a folder's entries to disk, so that created and removed files survive a power failure."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
