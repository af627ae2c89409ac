"""Locks on files, which exclude other processes and threads."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode

PATIENCE = 10.0
"""Seconds to wait for a lock that is held."""


@contextmanager
def locked(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds a lock. The kernel frees it when the process ends, in whatever way.

    Args:
        path: File that stands for the lock. It is made if needed, in a folder that exists, and never deleted.
        patience: Seconds to wait for it.

    Raises:
        AgentError: `STORAGE_FAILED`: another process or thread holds it, or the file cannot be made.
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


class ReentrantLock:
    """A lock as in `locked`, which its holder may take again.

    Args:
        path: As in `locked`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.RLock()
        self._held = False

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Excludes other threads of this process, and other processes.

        Raises:
            AgentError: `STORAGE_FAILED`: one of them does not release the lock.
        """
        with self._turn:
            if self._held:
                yield
                return
            with locked(self._path):
                self._held = True
                try:
                    yield
                finally:
                    self._held = False


def _taken(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
