"""Processes that keep the cores busy while something else is measured or tested."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Runs `count` processes of normal priority, each of which uses all of one core, for a `with` block."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        with suppress(subprocess.TimeoutExpired):
            for process in processes:
                process.wait(5.0)
