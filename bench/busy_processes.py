"""Background load: processes that keep the cores busy during a measurement or test."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Runs `count` processes of normal priority during a `with` block, each of which keeps one core fully busy."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        with suppress(subprocess.TimeoutExpired):
            for process in processes:
                process.wait(5.0)
