from __future__ import annotations

import asyncio
import gc
import threading

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls, Worker, in_thread
from support.waiting import wait_until


def test_event_loop_rejects_call_above_capacity_without_blocking_other_calls() -> None:
    over = threading.Event()

    async def called() -> list[str]:
        turns, looks = LongCalls("turns", 2), LongCalls("looks", 1)
        waiting = [asyncio.ensure_future(turns.run(lambda _token: over.wait(20.0))) for _ in range(2)]
        await asyncio.sleep(0.0)
        with pytest.raises(AgentError, match="2 turns are already running") as refused:
            await turns.run(lambda _token: "never")
        assert refused.value.code is ErrorCode.SERVER_UNAVAILABLE
        others = [await looks.run(lambda _token: "a look"), await in_thread(lambda _token: "what is short")]
        over.set()
        assert await asyncio.gather(*waiting) == [True, True]
        return [*others, await turns.run(lambda _token: "the next turn")]

    assert asyncio.run(called()) == ["a look", "what is short", "the next turn"]


def test_cancelled_call_frees_capacity_of_event_loop() -> None:
    async def called() -> str:
        turns = LongCalls("turns", 1)
        waiting = asyncio.ensure_future(turns.run(lambda token: _until(token.on_cancel)))
        await asyncio.sleep(0.0)
        waiting.cancel()
        await asyncio.wait({waiting})
        return await turns.run(lambda _token: "the next turn")

    assert asyncio.run(called()) == "the next turn"


def test_error_of_cancelled_call_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    def end(token: CancelToken) -> None:
        _until(token.on_cancel)
        raise AgentError(ErrorCode.CANCELED, "Canceled.")

    async def called() -> None:
        waiting = asyncio.ensure_future(in_thread(end))
        await asyncio.sleep(0.0)
        waiting.cancel()
        await asyncio.wait({waiting})
        assert waiting.cancelled()

    asyncio.run(called())
    gc.collect()  # asyncio logs an error that nobody retrieved when its future is deleted
    assert caplog.text == ""


def _until(on_cancel: object) -> None:
    ended = threading.Event()
    assert callable(on_cancel)
    on_cancel(ended.set)
    assert ended.wait(20.0)


def test_event_loop_runs_only_newest_offered_task() -> None:
    worker, done, gate = Worker("test"), list[int](), threading.Event()
    worker.offer(lambda: gate.wait(10.0) and done.append(0))
    wait_until(lambda: worker._offered is None, "the first to run")
    for number in range(1, 5):
        worker.offer(lambda number=number: done.append(number))
    gate.set()
    wait_until(lambda: len(done) == 2, "the rest")
    worker.close()
    assert done == [0, 4]


def test_event_loop_runs_every_submitted_task() -> None:
    worker = Worker("test")
    assert [worker.submit(lambda number=number: number).result() for number in range(3)] == [0, 1, 2]
    worker.close()


def test_event_loop_detects_hanging_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reachy_agent_ros.ros.rclpy_ext.event_loop.WORKER_PATIENCE", 0.05)
    worker, gate = Worker("test"), threading.Event()
    worker.offer(lambda: gate.wait(10.0) and None)
    wait_until(lambda: not worker.alive())
    gate.set()
    wait_until(worker.alive)
    worker.close()


def test_offering_task_raises_exception_of_previous_task() -> None:
    worker = Worker("test")
    worker.offer(lambda: [][0])
    wait_until(lambda: worker._offered is None)
    with pytest.raises(IndexError):
        wait_until(lambda: worker.offer(lambda: None))
    worker.close()
