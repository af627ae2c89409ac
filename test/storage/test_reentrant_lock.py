from __future__ import annotations

import threading
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.storage.file_lock import locked
from reachy_agent_ros.storage.reentrant_lock import ReentrantLock


def is_free(path: Path) -> bool:
    try:
        with locked(path, patience=0.0):
            return True
    except AgentError:
        return False


def test_whoever_holds_it_may_take_it_again_and_keeps_it_until_the_first_turn_ends(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = ReentrantLock(path)
    with lock.alone():
        with lock.alone():
            assert not is_free(path)
        assert not is_free(path)
    assert is_free(path)


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
