"""How many heaps a process has. It stands alone because libraries that rclpy imports start threads with heaps."""

from __future__ import annotations

import ctypes
import os

_M_ARENA_MAX = -8


def limit_heaps() -> None:
    """Lets the C library make no more heaps than threads can run at once: mallopt(3).

    By default each new thread gets a heap of its own, up to eight for each core, which keeps what it was used for once.
    A node that starts a thread for every job would grow with each of its first jobs, by half a megabyte or so.
    """
    ctypes.CDLL(None).mallopt(_M_ARENA_MAX, os.cpu_count() or 1)
