"""Lock that prevents a user from running two nodes with the same name on a machine. DDS itself would allow it."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
from filelock import AcquireReturnProxy, FileLock, Timeout

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import runtime_directory


def claim(node_name: str) -> AcquireReturnProxy[FileLock]:
    """Acquires the lock for a fully qualified node name in this ROS domain.

    Args:
        node_name: Node name, for example `/reachy_mini/tts`.


    Returns:
        The lock, which is held until the value is dropped or a `with` block ends. The kernel releases it when the
        process ends, however it ends.


    Raises:
        AgentError: `SERVER_UNAVAILABLE` if the lock is held, with the process that holds it. `STORAGE_FAILED` if the
            folder of the locks cannot be created.
    """
    path = _path(node_name)
    # No fallback to the existence of a file, which would outlive a killed process.
    lock = FileLock(path, thread_local=False, fallback_to_soft=False, on_acquired=_write_process)
    try:
        return lock.acquire(blocking=False)
    except Timeout:
        holder = path.read_text().strip() or "unknown"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{node_name} is already running as process {holder}.") from None


def _write_process(file: int) -> None:
    os.ftruncate(file, 0)
    os.write(file, str(os.getpid()).encode())


def any_runs(namespace: str) -> bool:
    """Returns whether any node of a namespace is running in this ROS domain.

    It does not matter how the node was started.
    """
    return runs(f"{namespace}/*")


def runs(node_name: str) -> bool:
    """Returns whether a node is running in this ROS domain. It does not matter how the node was started.

    Reads the lock holders instead of trying to acquire a lock, which could make a starting node fail.

    Args:
        node_name: Node name, for example `/reachy_mini/tts`; `*` stands for any characters.
    """
    holders = (lock.read_text().strip() for lock in runtime_directory().glob(_path(node_name).name))
    return any(holder.isdecimal() and psutil.pid_exists(int(holder)) for holder in holders)


def _path(node_name: str) -> Path:
    domain = os.environ.get("ROS_DOMAIN_ID", "0")
    return runtime_directory() / f"domain{domain}{node_name.replace('/', '.')}.lock"
