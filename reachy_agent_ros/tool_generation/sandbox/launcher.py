"""Closes the box of the tier `LANDLOCK` around itself, and becomes the worker: a program with one argument, of JSON."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

from reachy_agent_ros.tool_generation.guest import second_filter
from reachy_agent_ros.tool_generation.sandbox import landlock

USER = 61917
"""Of the boxes where the host runs as root. It owns nothing, and nobody logs in as it."""

_PR_SET_PDEATHSIG, _PR_SET_KEEPCAPS, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 1, 8, 38, 47
_AMBIENT_RAISE = 2
_CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION = 0x20080522
_SIGKILL = 9


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapabilityData(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


_libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Starts the worker, or fails before anything of a tool was read."""
    plan: dict[str, Any] = json.loads(sys.argv[1])
    parent = os.getppid()
    for name, value in plan["limits"].items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), (value, value))
    os.setsid()
    os.chdir("/")
    if os.getuid() == 0:
        _leave_root()
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)  # forgotten when the user changes, so it comes after
    if os.getppid() != parent:
        sys.exit("the host is gone")
    os.write(plan["status"], json.dumps({"child-pid": os.getpid()}).encode() + b"\n")
    os.close(plan["status"])
    program = _read(plan["filter"])
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(map(Path, plan["readable"]), map(Path, plan["runnable"]))
    second_filter.stack(program)
    os.execve(plan["command"][0], plan["command"], plan["environment"])  # noqa: S606 - that is the purpose


def _leave_root() -> None:
    """Becomes a user that owns nothing.

    The interpreter may lie in a folder of root's. The one capability that is kept walks through such folders; what
    may be read stays with Landlock. Where the host itself lacks it, as in a container, it goes without.
    """
    _prctl(_PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    bit = 1 << _CAP_DAC_READ_SEARCH
    if _set_capabilities(bit):
        _prctl(_PR_CAP_AMBIENT, _AMBIENT_RAISE, _CAP_DAC_READ_SEARCH)
    elif not _set_capabilities(0):
        raise OSError(ctypes.get_errno(), "capabilities cannot be given up")


def _set_capabilities(bits: int) -> bool:
    header = _CapabilityHeader(_CAPABILITY_VERSION, 0)
    data = (_CapabilityData * 2)(_CapabilityData(bits, bits, bits))
    return bool(_libc.capset(ctypes.byref(header), ctypes.byref(data)) == 0)


def _prctl(option: int, *arguments: int) -> None:
    words = [ctypes.c_ulong(word) for word in (*arguments, 0, 0, 0, 0)[:4]]
    if _libc.prctl(option, *words):
        raise OSError(ctypes.get_errno(), f"prctl({option}): {os.strerror(ctypes.get_errno())}")


def _read(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        return file.read()
