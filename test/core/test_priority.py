from __future__ import annotations

import asyncio
import os
import threading

import pytest

from reachy_agent_ros.core.priority import MORE_NICENESS, in_background


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


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
