"""Whether a node could start at all: what it loads ends it where there is no shared memory left."""

from __future__ import annotations

import errno
import mmap
import os
import tempfile
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode

FOLDER = Path("/dev/shm")  # noqa: S108 - the kernel's, which every process shares


def require_room() -> None:
    """Checks that a page of shared memory can be had.

    The tracing library of ROS (LTTng-UST) maps one as soon as rclpy is imported, and whoever touches a page that cannot
    be had is ended by SIGBUS, which says nothing of the cause.

    Raises:
        AgentError: `STORAGE_FAILED`, with what to do.
    """
    if not FOLDER.is_dir():
        return
    try:
        with tempfile.TemporaryFile(dir=FOLDER) as file:
            os.posix_fallocate(file.fileno(), 0, mmap.PAGESIZE)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise AgentError(
            ErrorCode.STORAGE_FAILED,
            f"{FOLDER} is full, and a node that starts needs a page of it. See what fills it with ls -lS {FOLDER}, "
            "and delete that.",
        ) from error
