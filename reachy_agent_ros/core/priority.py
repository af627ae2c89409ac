"""Priorities of threads: a high one for the motion loop and heartbeats, a low one for background work."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

REALTIME_PRIORITY = 50
"""SCHED_FIFO priority, the one ros2_control's loop uses."""

NICENESS = -15
"""Of a thread that goes before others without being a real-time one."""

MORE_NICENESS = 10
"""Added for background work, which gets a tenth of the share of an ordinary thread where both want a core. With much
less, a thread that is put aside while it holds the interpreter's lock would keep its whole process waiting."""

ResultT = TypeVar("ResultT")


def raise_priority() -> str:
    """Gives the calling thread the highest priority this user may have.

    Returns:
        What the thread got, for people: "SCHED_FIFO 50", "nice -15" or "normal".
    """
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK  # threads it starts are ordinary ones
    try:
        os.sched_setscheduler(0, policy, os.sched_param(REALTIME_PRIORITY))
    except PermissionError:
        return raise_niceness()
    return f"SCHED_FIFO {REALTIME_PRIORITY}"


def raise_niceness(thread: int | None = None) -> str:
    """Gives a thread, and those that it starts later, `NICENESS` if this user may.

    Args:
        thread: Thread id of the kernel; None for the calling thread.

    Returns:
        What the thread got, for people.
    """
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id() if thread is None else thread, NICENESS)
    except PermissionError:
        return "normal"
    return f"nice {NICENESS}"


async def in_background(work: Callable[[], ResultT]) -> ResultT:
    """Does blocking work in a thread of low priority and returns its result; what it raises passes through.

    The thread ends with the work, because a thread cannot lower its niceness again.
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
