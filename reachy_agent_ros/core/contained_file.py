"""Files from people, read with care: no link leads out of a folder, and pipes and huge files are rejected."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def read_inside(root: Path, path: Path, largest: int) -> bytes:
    """Reads a file in a folder or below it; links are never followed.

    Args:
        root: The folder, which may be a link itself, because the user chose it.
        path: The file, beginning with `root`.
        largest: Number of bytes that are read; one more is returned if there are more.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it is a link, lies behind one, is not a file or cannot be read.
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
            message = f"{path} is a link or lies behind one. Copy the file into {root} instead."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None
        complaint = "is not there" if error.errno == errno.ENOENT else f"cannot be read: {error.strerror}"
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} {complaint}.") from error


def read_text(path: Path, largest: int, root: Path | None = None) -> str:
    """Reads a text file.

    Args:
        path: The file.
        largest: Number of bytes that it may have.
        root: Folder in which links are not followed; None if the file may be reached by links.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it does not exist, or is not a file, a link, too large, or not text.
    """
    try:
        content = _content(path, largest) if root is None else read_inside(root, path, largest)
        if len(content) > largest:
            raise _wrong(path, f"has more than {largest} bytes")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _wrong(path, "is not text in UTF-8") from None
    except OSError as error:
        raise _wrong(path, f"cannot be read: {error.strerror}") from error
    return text.replace("\r\n", "\n")


def _opened(root: Path, path: Path) -> int:
    """Opens folder by folder, so that nobody can insert a link between the check and the opening."""
    *folders, name = path.relative_to(root).parts
    if ".." in (*folders, name):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    parent = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            child = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
            os.close(parent)
            parent = child
        # A pipe would be waited for without end, were it not for O_NONBLOCK.
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=parent)
    finally:
        os.close(parent)


def _content(path: Path, largest: int) -> bytes:
    if not path.is_file():  # a pipe would be waited for without end
        raise _wrong(path, "is not there" if not path.exists() else "is not a file")
    with path.open("rb") as file:
        return file.read(largest + 1)


def _wrong(path: Path, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} {complaint}.")
