from __future__ import annotations

import threading
from pathlib import Path

from reachy_agent_ros.core.reentrant_lock import ReentrantLock


def test_whoever_holds_it_may_take_it_again(tmp_path: Path) -> None:
    lock = ReentrantLock(tmp_path / "lock")
    with lock.alone(), lock.alone():
        pass
    with lock.alone():
        pass


def test_it_is_free_after_a_failure_and_others_wait_for_their_turn(tmp_path: Path) -> None:
    first, second = ReentrantLock(tmp_path / "lock"), ReentrantLock(tmp_path / "lock")
    order = []
    entered = threading.Event()

    def wait_for_a_turn() -> None:
        entered.set()
        with second.alone():
            order.append("second")

    thread = threading.Thread(target=wait_for_a_turn)
    with first.alone():
        thread.start()
        entered.wait()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
