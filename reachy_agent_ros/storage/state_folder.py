"""State directory of a graph. It must be writable, and only one graph may use it at a time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import Timeout

from reachy_agent_ros.core.durable_file import make_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.file_lock import private_lock

LOCK = "graph.lock"
"""Name of the lock file, which contains the process id of its holder."""

_PROBE = 4096
"""Size of the file that tests whether a folder is writable, bytes: an empty file would fit on a full disk."""


def write_problem(folder: Path) -> str:
    """Returns a sentence that says why a folder is not writable. The sentence is empty if the folder is writable.

    Args:
        folder: Folder for data that only its owner may read; created if it is missing.
    """
    try:
        make_folder(folder, 0o700)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_PROBE))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return f"Cannot write to {folder}: {error.strerror}."
    return ""


@contextmanager
def claimed_state(folder: Path) -> Iterator[None]:
    """Reserves a state directory for one graph.

    The kernel releases the directory when the process ends for any reason.

    Two graphs would overwrite each other's conversations, policies and audit log.

    Args:
        folder: State directory, created if it is missing.

    Raises:
        AgentError: `STORAGE_FAILED`: the folder or its file system is read-only, full or belongs to another user;
            `SERVER_UNAVAILABLE`: another graph uses it.
    """
    problem = write_problem(folder)
    if problem:
        fix = "Make it writable and free some space, or use another folder with state_directory:=FOLDER."
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{problem} {fix}")
    path = folder / LOCK
    lock = private_lock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        holder = path.read_text().strip() or "unknown"
        message = (
            f"The state directory {folder} is in use by the graph of process {holder}. "
            "Stop that graph, or use another folder with state_directory:=FOLDER."
        )
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None
    try:
        path.write_text(str(os.getpid()))
        yield
    finally:
        lock.release()
