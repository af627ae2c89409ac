from __future__ import annotations

import threading

import pytest

from reachy_agent_ros.ros.rclpy_ext.worker import Worker
from support.waiting import wait_until


def test_of_what_was_offered_meanwhile_only_the_newest_is_done() -> None:
    worker, done, gate = Worker("test"), list[int](), threading.Event()
    worker.offer(lambda: gate.wait(10.0) and done.append(0))
    wait_until(lambda: worker._offered is None, 20.0, "the first to run")
    for number in range(1, 5):
        worker.offer(lambda number=number: done.append(number))
    gate.set()
    wait_until(lambda: len(done) == 2, 20.0, "the rest")
    worker.close()
    assert done == [0, 4]


def test_what_is_submitted_is_always_done() -> None:
    worker = Worker("test")
    assert [worker.submit(lambda number=number: number).result() for number in range(3)] == [0, 1, 2]
    worker.close()


def test_a_thread_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reachy_agent_ros.ros.rclpy_ext.worker.PATIENCE", 0.05)
    worker, gate = Worker("test"), threading.Event()
    worker.offer(lambda: gate.wait(10.0) and None)
    wait_until(lambda: not worker.alive(), 20.0)
    gate.set()
    wait_until(worker.alive, 20.0)
    worker.close()


def test_a_bug_is_raised_at_the_next_offer() -> None:
    worker = Worker("test")
    worker.offer(lambda: [][0])
    wait_until(lambda: worker._offered is None, 20.0)
    with pytest.raises(IndexError):
        wait_until(lambda: worker.offer(lambda: None), 20.0)
    worker.close()
