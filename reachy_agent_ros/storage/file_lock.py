"""One at a time, over processes and threads."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode

PATIENCE = 10.0
"""s to wait for whoever holds a lock."""


@contextmanager
def locked(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds a lock; the kernel frees it with the process, however that ends.

    Args:
        path: File that stands for the lock; made if need be, in a folder that exists, and never deleted.
        patience: s to wait for it.

    Raises:
        AgentError: `STORAGE_FAILED`: another one holds it, or the file cannot be made.
    """
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} cannot be opened: {error.strerror}.") from error
    try:
        with held(lock, path, patience):
            yield
    finally:
        os.close(lock)


@contextmanager
def held(file: int, path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds a lock on a file that is open; arguments and errors are those of `locked`."""
    deadline = Deadline(patience)
    while not _taken(file):
        if deadline.passed:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"Another process works in {path.parent}.")
        time.sleep(0.005)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _taken(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
