"""System call filters of the sandbox: lists of allowed calls, which are applied in two stages.

The first filter is active from the first instruction. The worker adds the second filter before it reads a job
(`guest/second_filter.py`); from then on, no program can be started.

System call numbers are from asm/unistd_64.h (x86-64) and asm-generic/unistd.h (aarch64) of Linux 6.1, and never
change. None means that the machine has no such call.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.sandbox.bpf import (
    ALLOW,
    REFUSE,
    ArgumentIn,
    Bits,
    Condition,
    SyscallRule,
    Zero,
    assemble,
    error,
)

_CLONE_THREAD = 0x10000
_CLONE_NEW = 0x7E020080
"""All `CLONE_NEW*` flags, which create namespaces."""

_CHANGING_OPEN = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | (os.O_TMPFILE & ~os.O_DIRECTORY)
"""Flags that change a file. Includes `O_TRUNC`, with which Landlock before version 3 truncates read-only files."""

_CHANGING_CALLS = frozenset(
    ("mkdir", "mkdirat", "unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2", "ftruncate")
)

_CONDITIONS: Mapping[str, tuple[Condition, ...]] = {
    "clone": (Bits(0, clear=_CLONE_NEW, set=_CLONE_THREAD),),
    # F_SETOWN and F_SETSIG would let the kernel send any signal to any process of the same user.
    "fcntl": (
        ArgumentIn(1, (0, 1, 2, 3, 4, 1030, 1032)),
    ),  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, ...CLOEXEC, size
    "ioctl": (ArgumentIn(1, (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)),),  # TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
    "prlimit64": (Zero(2),),  # read only
    # A pair of datagram sockets could send to any named socket of the host.
    "socketpair": (ArgumentIn(0, (1,)), ArgumentIn(1, (1, 0x801, 0x80001, 0x80801))),  # AF_UNIX, SOCK_STREAM
    "sendto": (Zero(4),),
    "seccomp": (ArgumentIn(0, (1,)), ArgumentIn(1, (1,))),  # SECCOMP_SET_MODE_FILTER with TSYNC: no listener
}

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""`AUDIT_ARCH_*` of linux/audit.h by `uname -m`."""

_NUMBERS: Mapping[str, tuple[int | None, int | None]] = {
    # open files
    "read": (0, 63),
    "write": (1, 64),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "pwrite64": (18, 68),
    "close": (3, 57),
    "lseek": (8, 62),
    "fstat": (5, 80),
    "getdents64": (217, 61),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "pipe2": (293, 59),
    "fadvise64": (221, 223),
    # file names
    "openat": (257, 56),
    "stat": (4, None),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "getcwd": (79, 17),
    "chdir": (80, 49),
    # file changes
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rmdir": (84, None),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "ftruncate": (77, 46),
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    # waiting
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "eventfd2": (290, 19),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    # a socket pair within the process, with which asyncio wakes its loop
    "socketpair": (53, 199),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "shutdown": (48, 210),
    "getsockopt": (55, 209),
    "getsockname": (51, 204),
    "getpeername": (52, 205),
    # memory
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "mprotect": (10, 226),
    "madvise": (28, 233),
    "brk": (12, 214),
    # threads
    "clone": (56, 220),
    "clone3": (435, 435),
    "futex": (202, 98),
    "membarrier": (324, 283),
    "set_robust_list": (273, 99),
    "set_tid_address": (218, 96),
    "rseq": (334, 293),
    "arch_prctl": (158, None),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "getcpu": (309, 168),
    "exit": (60, 93),
    "exit_group": (231, 94),
    # programs: the interpreter, and bubblewrap's first process, which waits for it
    "execve": (59, 221),
    "execveat": (322, 281),
    "wait4": (61, 260),
    "waitid": (247, 95),
    "seccomp": (317, 277),
    # signals
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    # time, limits, names
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "getrlimit": (97, 163),
    "prlimit64": (302, 261),
    "getrandom": (318, 278),
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getppid": (110, 173),
    "getpgrp": (111, None),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getgroups": (115, 158),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "umask": (95, 166),
    "uname": (63, 160),
    "sysinfo": (99, 179),
}

NAMES = frozenset(_NUMBERS)


def machine() -> str:
    """Returns the machine type of this host. Raises an error if no filters exist for it.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: unsupported machine type or system.
    """
    name = os.uname()
    if name.sysname != "Linux" or name.machine not in MACHINES:
        known = " or ".join(MACHINES)
        raise AgentError(
            ErrorCode.SANDBOX_UNAVAILABLE,
            f"The system call filter supports only Linux on {known}, not {name.sysname} on {name.machine}.",
        )
    return name.machine


def sandbox_filter(kind: str, *, scratch: bool) -> bytes:
    """Returns the first filter, which is active when the sandbox process starts.

    Args:
        kind: Machine type, a key of `MACHINES`.
        scratch: Whether files may be created and changed; then the file system of the sandbox decides which.

    Returns:
        Array of `struct sock_filter`, for bubblewrap and the kernel.
    """
    names = NAMES if scratch else NAMES - _CHANGING_CALLS
    conditions = _CONDITIONS if scratch else {**_CONDITIONS, "openat": (Bits(2, clear=_CHANGING_OPEN),)}
    rules = [
        # glibc falls back to `clone`, whose flags a filter can read, only if there is no `clone3`.
        SyscallRule(value, verdict=error(errno.ENOSYS))
        if name == "clone3"
        else SyscallRule(value, conditions.get(name, ()))
        for name in sorted(names)
        if (value := number(name, kind)) is not None
    ]
    return assemble(MACHINES[kind], rules, REFUSE)


def no_exec_filter(kind: str) -> bytes:
    """Returns the second filter, which prevents the process from starting programs and adding filters.

    The first filter also remains active.
    """
    forbidden = [number(name, kind) for name in ("execve", "execveat", "seccomp")]
    rules = [SyscallRule(value, verdict=REFUSE) for value in forbidden if value is not None]
    return assemble(MACHINES[kind], rules, ALLOW)


def number(name: str, machine: str) -> int | None:
    """Returns the number of a system call on a type of machine, or None if the call does not exist there."""
    return _NUMBERS[name][list(MACHINES).index(machine)]
