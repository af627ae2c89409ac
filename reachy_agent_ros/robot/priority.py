"""Asking the kernel to run a thread before others."""

from __future__ import annotations

import os
import threading

REALTIME_PRIORITY = 50
"""SCHED_FIFO priority, the one ros2_control's loop uses."""

NICENESS = -15


def raise_priority() -> str:
    """Gives the calling thread the highest priority this user may have.

    Returns:
        What it got, for people: "SCHED_FIFO 50", "nice -15" or "normal".
    """
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK  # threads it starts are ordinary ones
    try:
        os.sched_setscheduler(0, policy, os.sched_param(REALTIME_PRIORITY))
    except PermissionError:
        return raise_niceness()
    return f"SCHED_FIFO {REALTIME_PRIORITY}"


def raise_niceness(thread: int | None = None) -> str:
    """Gives a thread, and those it starts later, `NICENESS` where this user may.

    Args:
        thread: Its number in the kernel; the calling thread if None.

    Returns:
        What it got, for people.
    """
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id() if thread is None else thread, NICENESS)
    except PermissionError:
        return "normal"
    return f"nice {NICENESS}"
