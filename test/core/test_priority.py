from __future__ import annotations

import asyncio
import os
import threading

import pytest

from reachy_agent_ros.core.priority import MORE_NICENESS, in_background


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_the_work_lets_others_go_first_and_nobody_else_does() -> None:
    before = niceness()
    assert asyncio.run(in_background(niceness)) == min(19, before + MORE_NICENESS)
    assert niceness() == before


def test_what_the_work_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(in_background(lambda: 1 / 0))


def test_the_thread_ends_with_the_work() -> None:
    thread = asyncio.run(in_background(threading.current_thread))
    thread.join(5.0)
    assert not thread.is_alive()


def test_whoever_no_longer_waits_is_not_kept() -> None:
    async def give_up() -> None:
        done = threading.Event()
        try:
            async with asyncio.timeout(0.01):
                await in_background(lambda: done.wait(20.0))
        finally:
            done.set()

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
