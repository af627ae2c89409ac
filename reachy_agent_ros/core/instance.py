"""One instance per node name: DDS would let two of them run side by side and both publish."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
from filelock import AcquireReturnProxy, FileLock, Timeout

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import runtime_directory


def claim(node_name: str) -> AcquireReturnProxy[FileLock]:
    """Takes the lock of a fully qualified node name within this ROS domain.

    Args:
        node_name: For example `/reachy_mini/tts`.

    Returns:
        The lock, held until this value is dropped or the end of a `with` block. The kernel frees the lock with the
        process, however it ends.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`, naming the process that holds the name.
    """
    path = _path(node_name)
    # Where the file system has no locks, a file that merely exists would outlive a process that was killed.
    lock = FileLock(path, thread_local=False, fallback_to_soft=False, on_acquired=_write_process)
    try:
        return lock.acquire(blocking=False)
    except Timeout:
        holder = path.read_text().strip() or "unknown"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{node_name} already runs as process {holder}.") from None


def _write_process(file: int) -> None:
    os.ftruncate(file, 0)
    os.write(file, str(os.getpid()).encode())


def any_runs(namespace: str) -> bool:
    """Whether a node of a namespace of this ROS domain runs, however it was started.

    It reads who took the locks. Taking one, to see whether it is free, could make a node that starts fail.
    """
    holders = (lock.read_text().strip() for lock in runtime_directory().glob(_path(f"{namespace}/*").name))
    return any(holder.isdecimal() and psutil.pid_exists(int(holder)) for holder in holders)


def _path(node_name: str) -> Path:
    domain = os.environ.get("ROS_DOMAIN_ID", "0")
    return runtime_directory() / f"domain{domain}{node_name.replace('/', '.')}.lock"
