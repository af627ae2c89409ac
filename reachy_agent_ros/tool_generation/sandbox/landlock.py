"""Landlock launcher: a process that restricts itself and then becomes the worker.

The restrictions are those of the tier `LANDLOCK`.

It permanently gives up access to all but a few files. Its only argument is a JSON object. The three system calls of
Landlock are in linux/landlock.h; their numbers are the same on every machine.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from reachy_agent_ros.tool_generation.guest import second_filter

USER = 61917
"""User of sandboxed processes if the host runs as root. It owns no files and has no login."""

_PR_SET_PDEATHSIG, _PR_SET_KEEPCAPS, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 1, 8, 38, 47
_AMBIENT_RAISE = 2
_CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION = 0x20080522
_SIGKILL = 9

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _READ_FILE, _READ_DIRECTORY = 1 << 0, 1 << 2, 1 << 3

_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""Number of file rights by Landlock version; 16 from the fifth version on."""

_NET_RIGHTS = 0b11
_SCOPES = 0b11
"""Scope of abstract sockets and signals: those of outside processes are out of reach."""


class _Ruleset(ctypes.Structure):
    """`struct landlock_ruleset_attr`."""

    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    """`struct landlock_path_beneath_attr`."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapabilityData(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def main() -> None:
    """Restricts this process and starts the worker. If this fails, no data of a tool has been read."""
    plan: dict[str, Any] = json.loads(sys.argv[1])
    parent = os.getppid()
    for name, (soft, hard) in plan["limits"].items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), (soft, hard))
    os.setsid()
    os.chdir("/")
    if os.getuid() == 0:
        _leave_root()
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)  # a change of the user resets it
    if os.getppid() != parent:
        sys.exit("the host is gone")
    os.write(plan["status"], json.dumps({"child-pid": os.getpid()}).encode() + b"\n")
    os.close(plan["status"])
    with os.fdopen(plan["filter"], "rb") as file:
        program = file.read()
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _restrict(map(Path, plan["readable"]), map(Path, plan["runnable"]))
    second_filter.stack(program)
    os.execve(plan["command"][0], plan["command"], plan["environment"])  # noqa: S606 - that is the purpose


def version() -> int:
    """Returns the Landlock version of this kernel. It is 0 if Landlock is missing or disabled."""
    try:
        return _call(_CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


def _leave_root() -> None:
    """Switches to a user that owns no files.

    The interpreter may be in a folder that belongs to root. The only capability that is kept gives access to such
    folders; Landlock still limits what may be read. If the host lacks this capability, as in a container, the worker
    runs without it.
    """
    _prctl(_PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    bit = 1 << _CAP_DAC_READ_SEARCH
    if _set_capabilities(bit):
        _prctl(_PR_CAP_AMBIENT, _AMBIENT_RAISE, _CAP_DAC_READ_SEARCH)
    elif not _set_capabilities(0):
        raise OSError(ctypes.get_errno(), "cannot drop capabilities")


def _set_capabilities(bits: int) -> bool:
    header = _CapabilityHeader(_CAPABILITY_VERSION, 0)
    data = (_CapabilityData * 2)(_CapabilityData(bits, bits, bits))
    return bool(_libc.capset(ctypes.byref(header), ctypes.byref(data)) == 0)


def _prctl(option: int, *arguments: int) -> None:
    words = [ctypes.c_ulong(word) for word in (*arguments, 0, 0, 0, 0)[:4]]
    if _libc.prctl(option, *words):
        raise OSError(ctypes.get_errno(), f"prctl({option}): {os.strerror(ctypes.get_errno())}")


def _restrict(readable: Iterable[Path], runnable: Iterable[Path]) -> None:
    """Restricts this process and its children to the given paths.

    Blocks the network as far as Landlock supports it.

    Args:
        readable: Paths that may be read, including everything below.
        runnable: Paths that may be read and executed.

    Raises:
        OSError: The kernel has no Landlock, or a path does not exist.
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
    words = [ctypes.c_ulong(one) if isinstance(one, int) else one for one in arguments]
    result = int(_libc.syscall(ctypes.c_long(number), *words))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result
