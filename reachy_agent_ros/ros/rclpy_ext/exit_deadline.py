"""An end that nothing can keep from coming."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable

_SIGEV_THREAD = 2
_NANOSECONDS = 1_000_000_000
_CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT)


class _Sigevent(ctypes.Structure):
    """`struct sigevent` of glibc, which is 64 bytes long."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("function", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("rest", ctypes.c_char * 32),
    )


class _Itimerspec(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_long) for name in ("interval_s", "interval_ns", "value_s", "value_ns"))


def exit_within(seconds: float, code: int = 0) -> Callable[[], None]:
    """Ends this process once so much time has passed, whatever it does then, or has stumbled over.

    A timer of the C library calls `_exit` in a thread of its own (timer_create(2), SIGEV_THREAD): Python's timers and
    signal handlers need the interpreter's lock, which a thread may hold that never goes on. A thread that crashes
    stands still until then, in `pause` as its signal's handler. So call it only when nothing is left to be lost.

    Args:
        seconds: Time for what is still to be done.
        code: The process's exit code.

    Returns:
        A function that calls it off.

    Raises:
        OSError: The system has no timer to give.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    timer = ctypes.c_void_p()
    event = _Sigevent(value=code, notify=_SIGEV_THREAD, function=ctypes.cast(libc._exit, ctypes.c_void_p))
    whole, rest = divmod(round(seconds * _NANOSECONDS), _NANOSECONDS)
    due = _Itimerspec(value_s=whole, value_ns=rest)
    for failed in (
        libc.timer_create(1, ctypes.byref(event), ctypes.byref(timer)),  # 1: CLOCK_MONOTONIC
        libc.timer_settime(timer, 0, ctypes.byref(due), None),
    ):
        if failed:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    libc.signal.argtypes = ctypes.c_int, ctypes.c_void_p
    libc.signal.restype = ctypes.c_void_p
    before = {crash: libc.signal(crash, ctypes.cast(libc.pause, ctypes.c_void_p)) for crash in _CRASHES}

    def call_off() -> None:
        libc.timer_delete(timer)
        for crash, handler in before.items():
            libc.signal(crash, handler)

    return call_off
