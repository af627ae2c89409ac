"""Landlock: a process gives up, for good, every file but a few.

Three system calls of linux/landlock.h, whose numbers are the same on every machine.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _READ_FILE, _READ_DIRECTORY = 1 << 0, 1 << 2, 1 << 3

_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""Rights on files that each version knows; from the fifth on there are 16."""

_NET_RIGHTS = 0b11
_SCOPES = 0b11
"""Abstract sockets and signals of processes outside."""


class _Ruleset(ctypes.Structure):
    """`struct landlock_ruleset_attr`."""

    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    """`struct landlock_path_beneath_attr`."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Of Landlock in this kernel; 0 where it has none or it is off."""
    try:
        return _call(_CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


def restrict(readable: Iterable[Path], runnable: Iterable[Path]) -> None:
    """Leaves this process, and all it starts, these files and folders, and no network that Landlock knows.

    Args:
        readable: May be read, with everything below.
        runnable: May be read and executed.

    Raises:
        OSError: The kernel has no Landlock, or a path is not there.
    """
    newest = version()
    files = (1 << _FILE_RIGHTS.get(newest, 16)) - 1
    ruleset = _Ruleset(files, _NET_RIGHTS if newest >= 4 else 0, _SCOPES if newest >= 6 else 0)
    size = 8 if newest < 4 else 16 if newest < 6 else 24
    descriptor = _call(_CREATE_RULESET, ctypes.byref(ruleset), size, 0)
    for path in readable:
        _allow(descriptor, path, _READ_FILE | _READ_DIRECTORY)
    for path in runnable:
        _allow(descriptor, path, _EXECUTE | _READ_FILE | _READ_DIRECTORY)
    _call(_RESTRICT_SELF, descriptor, 0)
    os.close(descriptor)


def _allow(descriptor: int, path: Path, rights: int) -> None:
    if not path.is_dir():
        rights &= ~_READ_DIRECTORY
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _call(_ADD_RULE, descriptor, _PATH_BENEATH, ctypes.byref(_Beneath(rights, parent)), 0)
    finally:
        os.close(parent)


def _call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_ulong(one) if isinstance(one, int) else one for one in arguments]
    result = int(libc.syscall(ctypes.c_long(number), *words))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result
