from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.file_lock import ReentrantLock, locked


def test_lock_excludes_other_threads(tmp_path: Path) -> None:
    order = []

    def second() -> None:
        with locked(tmp_path / "lock"):
            order.append("second")

    thread = threading.Thread(target=second)
    with locked(tmp_path / "lock"):
        thread.start()
        order.append("first")
    thread.join(10.0)
    assert order == ["first", "second"]


def test_acquiring_held_lock_times_out(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "lock"),
        pytest.raises(AgentError, match="Another process") as error,
        locked(tmp_path / "lock", patience=0.0),
    ):
        pytest.fail("acquired a lock that another thread holds")
    assert error.value.code is ErrorCode.STORAGE_FAILED
    with locked(tmp_path / "lock", patience=0.0):
        pass


def test_killed_process_releases_lock(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with locked(tmp_path / "lock"):
            os.write(writing, b"held")
            signal.pause()
    assert os.read(reading, 4) == b"held"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with locked(tmp_path / "lock", patience=5.0):
        pass
    os.close(reading)
    os.close(writing)


def test_reports_lock_that_cannot_be_created(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="cannot be opened"), locked(tmp_path / "missing" / "lock"):
        pytest.fail("acquired a lock in a missing folder")
    assert not (tmp_path / "missing").exists()


def test_lock_file_is_private_and_not_modified(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path):
        assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("kept")
    with locked(path):
        pass
    assert path.read_text() == "kept"


def test_another_thread_can_release_lock(tmp_path: Path) -> None:
    holding = locked(tmp_path / "lock")
    holding.__enter__()
    assert not is_free(tmp_path / "lock")
    thread = threading.Thread(target=holding.__exit__, args=(None, None, None))
    thread.start()
    thread.join(10.0)
    assert is_free(tmp_path / "lock")


def is_free(path: Path) -> bool:
    try:
        with locked(path, patience=0.0):
            return True
    except AgentError:
        return False


def test_lock_is_reentrant_and_held_until_outer_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = ReentrantLock(path)
    with lock.alone():
        with lock.alone():
            assert not is_free(path)
        assert not is_free(path)
    assert is_free(path)


def test_reentrant_lock_waits_for_other_holder(tmp_path: Path) -> None:
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
