import os
import signal
import threading
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.file_lock import locked


def test_another_thread_waits_its_turn(tmp_path: Path) -> None:
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


def test_who_holds_it_too_long_is_told(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "lock"),
        pytest.raises(AgentError, match="Another process") as error,
        locked(tmp_path / "lock", patience=0.0),
    ):
        pytest.fail("it was held by somebody else")
    assert error.value.code is ErrorCode.STORAGE_FAILED
    with locked(tmp_path / "lock", patience=0.0):
        pass


def test_a_killed_process_frees_it(tmp_path: Path) -> None:
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


def test_a_lock_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="cannot be opened"), locked(tmp_path / "missing" / "lock"):
        pytest.fail("there is no folder for it")
