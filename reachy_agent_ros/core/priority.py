"""Thread priorities: high for the motion loop and heartbeats, low for background work."""

from __future__ import annotations

import asyncio
import os
import resource
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

REALTIME_PRIORITY = 50
"""SCHED_FIFO priority, equal to that of the ros2_control loop."""

NICENESS = -15
"""Niceness of a high-priority thread without real-time scheduling."""

_NICE_ORIGIN = 20
"""The kernel stores the limit of the niceness as 20 minus the niceness."""

MORE_NICENESS = 10
"""Niceness added for background work, which then gets a tenth of the share of an ordinary thread on a shared core. With
a much smaller share, a preempted thread that holds the interpreter lock would delay its whole process."""

ResultT = TypeVar("ResultT")


def raise_priority() -> str:
    """Raises the calling thread to the highest priority that this user may set, up to `REALTIME_PRIORITY`.

    Returns:
        Description of the priority: for example "SCHED_FIFO 50", "nice -15" or "normal".
    """
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK  # not inherited by new threads
    limit, _ = resource.getrlimit(resource.RLIMIT_RTPRIO)
    for priority in (REALTIME_PRIORITY, min(REALTIME_PRIORITY, limit)):
        if priority > 0:
            with suppress(PermissionError):
                os.sched_setscheduler(0, policy, os.sched_param(priority))
                return f"SCHED_FIFO {priority}"
    return raise_niceness()


def raise_niceness(thread: int | None = None) -> str:
    """Sets the niceness of a thread to `NICENESS`, or to the lowest niceness that this user may set.

    Threads that it starts later inherit this value.

    Args:
        thread: Thread id of the kernel; None for the calling thread.

    Returns:
        Description of the priority: for example "nice -15", or "normal" if no negative niceness is permitted.
    """
    identifier = threading.get_native_id() if thread is None else thread
    limit, _ = resource.getrlimit(resource.RLIMIT_NICE)
    for niceness in (NICENESS, max(NICENESS, _NICE_ORIGIN - limit)):
        if niceness < 0:
            with suppress(PermissionError):
                os.setpriority(os.PRIO_PROCESS, identifier, niceness)
                return f"nice {niceness}"
    return "normal"


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
