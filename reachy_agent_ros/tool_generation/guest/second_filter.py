"""Second system call filter of the sandbox process. It prevents the process from starting programs.

bubblewrap needs `execve` once to start the interpreter, so the first filter must allow it. A filter that is added later
can only be more restrictive.
"""

from __future__ import annotations

import ctypes
import os

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_MODE_FILTER = 1
_TSYNC = 1  # also applies to threads that have already been started
_INSTRUCTION = 8


class _Program(ctypes.Structure):
    """`struct sock_fprog` of linux/filter.h."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def stack(program: bytes) -> None:
    """Applies a filter permanently to all threads of this process and to all of its future child processes.

    Args:
        program: Filter as an array of `struct sock_filter`.

    Raises:
        OSError: The kernel rejected the filter. The process must not continue.
    """
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.argtypes = (ctypes.c_long, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_void_p)
    call.restype = ctypes.c_long
    stacked = _Program(len(program) // _INSTRUCTION, program)
    if call(_SECCOMP[os.uname().machine], _SET_MODE_FILTER, _TSYNC, ctypes.byref(stacked)):
        raise OSError(ctypes.get_errno(), f"cannot install the second filter: {os.strerror(ctypes.get_errno())}")
