"""Limit on the number of malloc arenas of a process.

A separate module without imports of rclpy, because libraries imported by rclpy start threads with their own arenas.
"""

from __future__ import annotations

import ctypes
import os

_M_ARENA_MAX = -8


def limit_heaps() -> None:
    """Limits the C library's memory allocator to one arena per core. See mallopt(3).

    By default, each new thread gets its own arena, up to eight per core, and an arena keeps its memory. A node that
    starts a thread for each job would grow by about half a megabyte with each of its first jobs.
    """
    ctypes.CDLL(None).mallopt(_M_ARENA_MAX, os.cpu_count() or 1)
