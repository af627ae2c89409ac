"""Thread priorities: high for the motion loop and heartbeats, low for background work."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

REALTIME_PRIORITY = 50
"""SCHED_FIFO priority, equal to that of the ros2_control loop."""

NICENESS = -15
"""Niceness of a high-priority thread without real-time scheduling."""

MORE_NICENESS = 10
"""Niceness added for background work, which then gets a tenth of the share of an ordinary thread on a shared core. With
a much smaller share, a preempted thread that holds the interpreter lock would delay its whole process."""

ResultT = TypeVar("ResultT")


def raise_priority() -> str:
    """Raises the calling thread to the highest priority that this user may set.

    Returns:
        Description of the priority: "SCHED_FIFO 50", "nice -15" or "normal".
    """
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK  # not inherited by new threads
    try:
        os.sched_setscheduler(0, policy, os.sched_param(REALTIME_PRIORITY))
    except PermissionError:
        return raise_niceness()
    return f"SCHED_FIFO {REALTIME_PRIORITY}"


def raise_niceness(thread: int | None = None) -> str:
    """Sets the niceness of a thread to `NICENESS` if permitted. Threads that it starts later inherit this value.

    Args:
        thread: Thread id of the kernel; None for the calling thread.

    Returns:
        Description of the priority: "nice -15" or "normal".
    """
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id() if thread is None else thread, NICENESS)
    except PermissionError:
        return "normal"
    return f"nice {NICENESS}"


async def in_background(work: Callable[[], ResultT]) -> ResultT:
    """Runs a blocking function in a thread of low priority. Returns its result or raises its exception.

    The thread ends with the work, because a thread cannot lower its niceness again.
    """
    workers = ThreadPoolExecutor(1, "background", initializer=step_back)
    try:
        return await asyncio.get_running_loop().run_in_executor(workers, work)
    finally:
        workers.shutdown(wait=False)


def step_back() -> None:
    """Lowers the priority of the calling thread by `MORE_NICENESS`."""
    thread = threading.get_native_id()  # on Linux each thread has its own niceness
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + MORE_NICENESS)
