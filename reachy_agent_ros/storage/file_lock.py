"""File locks that exclude other processes and threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout, lock_descriptor, unlock_descriptor

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode

PATIENCE = 10.0
"""Default time to wait for a lock, s."""

_POLL_INTERVAL = 0.005
"""Time between two attempts, s."""


@contextmanager
def locked(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds a lock. The kernel releases it when the process ends for any reason.

    Args:
        path: Lock file. Created if needed, in an existing folder, and never deleted.
        patience: Time to wait, s.

    Raises:
        AgentError: `STORAGE_FAILED`: another process or thread holds the lock, or the file cannot be created.
    """
    try:
        lock = private_lock(path)
        lock.acquire(timeout=patience)
    except Timeout:
        raise _busy(path) from None
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} cannot be opened: {error.strerror}.") from error
    try:
        yield
    finally:
        lock.release()


def private_lock(path: Path) -> FileLock:
    """Creates a lock without acquiring it.

    Any thread may release the lock. Only this user may open its file.

    Raises:
        OSError: The folder does not exist.
    """
    path.parent.stat()  # FileLock would create the folder, readable by everybody
    # On a file system without locks, the fallback is a file whose mere existence would outlive a killed process.
    return FileLock(path, mode=0o600, thread_local=False, poll_interval=_POLL_INTERVAL, fallback_to_soft=False)


@contextmanager
def held(file: int, path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds a lock on the descriptor `file` of the open file `path`. Waits as `locked` does, with the same error."""
    deadline = Deadline(patience)
    while not lock_descriptor(file, blocking=False):
        if deadline.passed:
            raise _busy(path)
        time.sleep(_POLL_INTERVAL)
    try:
        yield
    finally:
        unlock_descriptor(file)


class ReentrantLock:
    """Reentrant version of `locked`.

    Args:
        path: Lock file, as for `locked`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.RLock()
        self._held = False

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Holds the lock. It excludes other threads of this process and all other processes.

        Raises:
            AgentError: `STORAGE_FAILED`: as for `locked`.
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


def _busy(path: Path) -> AgentError:
    message = f"Another process or thread holds {path}. Wait until it has ended, or end it, and try again."
    return AgentError(ErrorCode.STORAGE_FAILED, message)
