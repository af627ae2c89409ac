"""Puts the second system call filter on this process, by which it can start no program any more.

bubblewrap needs `execve` once to start the interpreter, so the box's own filter has to allow it. A filter that is
stacked later can only forbid more.
"""

from __future__ import annotations

import ctypes
import os

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_MODE_FILTER = 1
_TSYNC = 1  # a thread that a library has started while warming up is to be filtered too
_INSTRUCTION = 8


class _Program(ctypes.Structure):
    """`struct sock_fprog` of linux/filter.h."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def stack(program: bytes) -> None:
    """Forbids what `program` forbids, to every thread of this process and all they start, for good.

    Args:
        program: Array of `struct sock_filter`.

    Raises:
        OSError: The kernel took no filter; nothing may run then.
    """
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.argtypes = (ctypes.c_long, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_void_p)
    call.restype = ctypes.c_long
    stacked = _Program(len(program) // _INSTRUCTION, program)
    if call(_SECCOMP[os.uname().machine], _SET_MODE_FILTER, _TSYNC, ctypes.byref(stacked)):
        raise OSError(ctypes.get_errno(), f"no second filter: {os.strerror(ctypes.get_errno())}")
