"""What the kernel does for a box: an allow-list of system calls in two stages.

The first filter is on from the box's first instruction. The worker stacks the second before it reads a job
(`inside/second_filter.py`), and from then on no program can be started.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.sandbox.bpf import (
    ALLOW,
    REFUSE,
    Bits,
    Condition,
    OneOf,
    Rule,
    Zero,
    assemble,
    error,
)
from reachy_agent_ros.tool_generation.sandbox.system_calls import MACHINES, NAMES, number

_CLONE_THREAD = 0x10000
_CLONE_NEW = 0x7E020080
"""Every `CLONE_NEW*`: namespaces."""

_CHANGING_OPEN = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | (os.O_TMPFILE & ~os.O_DIRECTORY)
"""`O_TRUNC` among them: Landlock before its third version lets a file that may only be read be emptied."""

_CHANGING_CALLS = frozenset(
    ("mkdir", "mkdirat", "unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2", "ftruncate")
)

_CONDITIONS: Mapping[str, tuple[Condition, ...]] = {
    "clone": (Bits(0, clear=_CLONE_NEW, set=_CLONE_THREAD),),
    # F_SETOWN and F_SETSIG would have the kernel send any signal to any process of the same user.
    "fcntl": (OneOf(1, (0, 1, 2, 3, 4, 1030, 1032)),),  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, ...CLOEXEC, size
    "ioctl": (OneOf(1, (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)),),  # TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
    "prlimit64": (Zero(2),),  # reading only
    # A pair of datagram sockets could send to any socket of the host that has a name.
    "socketpair": (OneOf(0, (1,)), OneOf(1, (1, 0x801, 0x80001, 0x80801))),  # AF_UNIX, SOCK_STREAM
    "sendto": (Zero(4),),
    "seccomp": (OneOf(0, (1,)), OneOf(1, (1,))),  # SECCOMP_SET_MODE_FILTER with TSYNC: no listener
}


def machine() -> str:
    """Of this host, for which there are filters.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: another kind of machine or system.
    """
    name = os.uname()
    if name.sysname != "Linux" or name.machine not in MACHINES:
        known = " or ".join(MACHINES)
        raise AgentError(
            ErrorCode.SANDBOX_UNAVAILABLE,
            f"There is a system call filter for Linux on {known} only, not for {name.sysname} on {name.machine}.",
        )
    return name.machine


def box_filter(kind: str, *, scratch: bool) -> bytes:
    """The first filter.

    Args:
        kind: Of machine, a key of `MACHINES`.
        scratch: Whether files may be made and changed, where the box's own file system decides which.

    Returns:
        Array of `struct sock_filter`, as bubblewrap and the kernel take it.
    """
    names = NAMES if scratch else NAMES - _CHANGING_CALLS
    conditions = _CONDITIONS if scratch else {**_CONDITIONS, "openat": (Bits(2, clear=_CHANGING_OPEN),)}
    rules = [
        # glibc goes back to `clone`, whose flags a filter can read, only where there is no `clone3`.
        Rule(value, verdict=error(errno.ENOSYS)) if name == "clone3" else Rule(value, conditions.get(name, ()))
        for name in sorted(names)
        if (value := number(name, kind)) is not None
    ]
    return assemble(MACHINES[kind], rules, REFUSE)


def no_exec_filter(kind: str) -> bytes:
    """The second filter: what was allowed before, but no programs and no further filters."""
    forbidden = [number(name, kind) for name in ("execve", "execveat", "seccomp")]
    rules = [Rule(value, verdict=REFUSE) for value in forbidden if value is not None]
    return assemble(MACHINES[kind], rules, ALLOW)
