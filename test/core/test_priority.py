from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import threading

import pytest

from reachy_agent_ros.core.priority import MORE_NICENESS, in_background, raise_priority


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


RAISE = """
import os, resource, sys
from reachy_agent_ros.core.priority import raise_priority
for kind, limit in zip((resource.RLIMIT_RTPRIO, resource.RLIMIT_NICE), map(int, sys.argv[1:])):
    resource.setrlimit(kind, (limit, limit))
os.setuid(65534)
print(raise_priority())
"""
"""Program that raises its priority as an ordinary user with the given limits."""


LIMITS = [
    (99, 0, "SCHED_FIFO 50"),
    (10, 40, "SCHED_FIFO 10"),
    (0, 40, "nice -15"),
    (0, 30, "nice -10"),
    (0, 20, "normal"),
]
"""Limits of the real-time priority and of the niceness, and the resulting priority."""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can set these limits")
@pytest.mark.parametrize(("realtime", "nice", "priority"), LIMITS)
def test_thread_gets_highest_priority_within_limits_of_user(realtime: int, nice: int, priority: str) -> None:
    command = [sys.executable, "-c", RAISE, str(realtime), str(nice)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60.0)
    if "not allowed to raise maximum limit" in done.stderr:
        pytest.skip("this container may not raise limits")
    assert done.stdout.strip() == priority, done.stderr


@pytest.mark.parametrize(("realtime", "nice", "priority"), LIMITS)
def test_priority_follows_limits_where_they_cannot_be_set(
    realtime: int, nice: int, priority: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Containers may not raise limits, so this test replaces three calls of the kernel by its rules (`sched(7)`)."""

    def schedule(_thread: int, _policy: int, parameters: os.sched_param) -> None:
        if parameters.sched_priority > realtime:
            raise PermissionError

    def set_niceness(_which: int, _thread: int, value: int) -> None:
        if value < 20 - nice:
            raise PermissionError

    limits = {resource.RLIMIT_RTPRIO: realtime, resource.RLIMIT_NICE: nice}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits[kind], limits[kind]))
    monkeypatch.setattr(os, "sched_setscheduler", schedule)
    monkeypatch.setattr(os, "setpriority", set_niceness)
    assert raise_priority() == priority


def test_only_background_work_has_low_priority() -> None:
    before = niceness()
    assert asyncio.run(in_background(niceness)) == min(19, before + MORE_NICENESS)
    assert niceness() == before


def test_exception_of_background_work_is_raised_in_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(in_background(lambda: 1 / 0))


def test_background_thread_ends_with_its_work() -> None:
    thread = asyncio.run(in_background(threading.current_thread))
    thread.join(5.0)
    assert not thread.is_alive()


def test_cancelled_caller_does_not_wait_for_background_work() -> None:
    async def give_up() -> None:
        done = threading.Event()
        try:
            async with asyncio.timeout(0.01):
                await in_background(lambda: done.wait(20.0))
        finally:
            done.set()

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
