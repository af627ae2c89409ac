"""Safe reading of files that users provide: rejects links below a folder, pipes and huge files."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def read_inside(root: Path, path: Path, largest: int) -> bytes:
    """Reads a file in a folder or its subfolders. Rejects links.

    Args:
        root: Folder, which may itself be a link, because the user chose it.
        path: Path of the file, beginning with `root`.
        largest: Size limit, bytes; one byte more is returned if the file is longer.


    Raises:
        AgentError: `INVALID_ARGUMENTS` if the path is a link, leads through one, has `..` below `root`, is not a file
            or cannot be read.
    """
    try:
        descriptor = _opened(root, path)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} is not a file.")
        with os.fdopen(descriptor, "rb") as file:
            return file.read(largest + 1)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            message = f"{path} is a link or is reached through one, a file or '..'. Copy the file into {root} instead."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None
        complaint = "does not exist" if error.errno == errno.ENOENT else f"cannot be read: {error.strerror}"
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} {complaint}.") from error


def read_text(path: Path, largest: int, root: Path | None = None) -> str:
    """Returns the text of a UTF-8 file, without a byte order mark and with CRLF converted to LF.

    Args:
        path: Path of the file.
        largest: Size limit, bytes.
        root: Folder in which links are not followed; None to follow links.


    Raises:
        AgentError: `INVALID_ARGUMENTS` if the file does not exist, cannot be read, is not a file, is a link below
            `root`, is too large, or is not UTF-8 text.
    """
    try:
        content = _content(path, largest) if root is None else read_inside(root, path, largest)
        if len(content) > largest:
            raise _wrong(path, f"has more than {largest} bytes")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _wrong(path, "is not UTF-8 text") from None
    except OSError as error:
        raise _wrong(path, f"cannot be read: {error.strerror}") from error
    return text.replace("\r\n", "\n")


def _opened(root: Path, path: Path) -> int:
    """Opens a file folder by folder, so that a link created after the check cannot redirect the access."""
    *folders, name = path.relative_to(root).parts
    if ".." in (*folders, name):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    parent = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            child = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
            os.close(parent)
            parent = child
        # O_NONBLOCK: opening a pipe would otherwise block forever.
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=parent)
    finally:
        os.close(parent)


def _content(path: Path, largest: int) -> bytes:
    if not path.is_file():  # opening a pipe would block forever
        raise _wrong(path, "does not exist" if not path.exists() else "is not a file")
    with path.open("rb") as file:
        return file.read(largest + 1)


def _wrong(path: Path, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} {complaint}.")
