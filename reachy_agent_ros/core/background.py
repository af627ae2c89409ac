"""Work that may wait, in a thread that lets all others go first."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

MORE_NICENESS = 10
"""A tenth of the share of an ordinary thread where both want a core. With much less, a thread that is put aside while
it holds the interpreter's lock would keep its whole process waiting."""

ResultT = TypeVar("ResultT")


async def in_background(work: Callable[[], ResultT]) -> ResultT:
    """Does blocking work in a thread of low priority and returns its result; what it raises passes through.

    The thread is its own and ends with the work: niceness that was given up cannot be had back.
    """
    workers = ThreadPoolExecutor(1, "background", initializer=step_back)
    try:
        return await asyncio.get_running_loop().run_in_executor(workers, work)
    finally:
        workers.shutdown(wait=False)


def step_back() -> None:
    """Lets all other threads go before this one, from now on."""
    thread = threading.get_native_id()  # on Linux a thread has a niceness of its own
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + MORE_NICENESS)
