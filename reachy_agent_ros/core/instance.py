"""One instance per node name: DDS would let two of them run side by side and both publish."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO

import psutil

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import runtime_directory


def claim(node_name: str) -> TextIO:
    """Takes the lock of a fully qualified node name within this ROS domain.

    Args:
        node_name: For example `/reachy_mini/tts`.

    Returns:
        The open lock file. The kernel frees the lock with the process, however it ends.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`, naming the process that holds the name.
    """
    lock = _path(node_name).open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{node_name} already runs as process {holder}.") from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def any_runs(namespace: str) -> bool:
    """Whether a node of a namespace of this ROS domain runs, however it was started.

    It reads who took the locks. Taking one, to see whether it is free, could make a node that starts fail.
    """
    holders = (lock.read_text().strip() for lock in runtime_directory().glob(_path(f"{namespace}/*").name))
    return any(holder.isdecimal() and psutil.pid_exists(int(holder)) for holder in holders)


def _path(node_name: str) -> Path:
    domain = os.environ.get("ROS_DOMAIN_ID", "0")
    return runtime_directory() / f"domain{domain}{node_name.replace('/', '.')}.lock"
