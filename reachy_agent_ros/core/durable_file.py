"""Small files that a power cut must not take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO


def write_durably(path: Path, content: str | bytes) -> None:
    """Writes all of a file or nothing, even if the power fails; on disk when it returns.

    Only its owner can read it, from its first byte on.

    Args:
        path: The file; its folder is made if need be.
        content: All of it; text is written as UTF-8.

    Raises:
        OSError: It could not be written; what was there is as it was.
        UnicodeEncodeError: Likewise, because the text cannot be written so.
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
        draft.unlink(missing_ok=True)  # on a full disk it would take the room that the next attempt needs
        raise
    sync_folder(path.parent)


def open_new(path: Path) -> IO[bytes]:
    """Opens a new file that only its owner can read; one that was left there by a crash, or a link, is removed.

    Raises:
        OSError: It cannot be made.
    """
    path.unlink(missing_ok=True)
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "wb")


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Makes a folder and those above it, where there are none; on disk when it returns.

    Args:
        path: The folder.
        mode: Permissions of the folder itself, less those that the process takes away.

    Raises:
        OSError: It cannot be made.
    """
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(mode=mode, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Puts the names in a folder on disk: those that are new, and that others are gone."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
