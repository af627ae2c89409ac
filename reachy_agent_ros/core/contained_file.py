"""Files in folders into which others put things, opened so that no link leads out."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def read_inside(root: Path, path: Path, largest: int) -> bytes:
    """Reads a file in a folder or below it; links are never followed.

    Args:
        root: The folder, which may be a link itself: whoever uses it chose where it is.
        path: The file, beginning with `root`.
        largest: Bytes that are read; one more is returned where there are more.

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


def _opened(root: Path, path: Path) -> int:
    """Opens folder by folder, so that nobody can put a link in the way between a look and the opening."""
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
