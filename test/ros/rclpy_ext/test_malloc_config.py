"""Limit for the number of malloc heaps that short-lived threads create."""

import os
import platform
import subprocess
import sys

import pytest

_THREADS = """
import ctypes, threading
from reachy_agent_ros.ros.rclpy_ext.malloc_config import limit_heaps

if {limited}:
    limit_heaps()
libc, free = ctypes.PyDLL(None), threading.Event()
libc.malloc.restype = ctypes.c_void_p

def work():
    libc.malloc(1000)
    free.wait()

threads = [threading.Thread(target=work) for _ in range({threads})]
for thread in threads:
    thread.start()
free.set()
libc.fopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fopen(b"/dev/fd/1", b"w"))
libc.malloc_info(0, out)
libc.fclose(out)
"""


def heaps(limited: bool) -> int:
    """Returns the number of heaps of a process after four threads per core have run in it simultaneously."""
    program = _THREADS.format(limited=limited, threads=4 * (os.cpu_count() or 1))
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return ended.stdout.count("<heap nr=")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_limits_malloc_heaps_to_number_of_cores() -> None:
    assert heaps(limited=False) > (os.cpu_count() or 1)
    assert heaps(limited=True) <= (os.cpu_count() or 1)
