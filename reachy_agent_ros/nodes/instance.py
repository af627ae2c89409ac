"""One instance per node name: DDS would let two of them run side by side and both publish."""

from __future__ import annotations

import fcntl
import os
from typing import TextIO

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
    domain = os.environ.get("ROS_DOMAIN_ID", "0")
    path = runtime_directory() / f"domain{domain}{node_name.replace('/', '.')}.lock"
    lock = path.open("a+")
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
