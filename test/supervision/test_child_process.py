import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.supervision import child_process
from reachy_agent_ros.supervision.child_process import ChildProcess, stop_limit

NICE = 5


@pytest.fixture
def sleeper() -> Iterator[ChildProcess]:
    script = "import time; print('here', flush=True); time.sleep(60)"
    here = threading.Event()
    child = ChildProcess([sys.executable, "-c", script], os.environ, NICE, lambda _line: here.set(), lambda: None)
    assert here.wait(10.0)
    yield child
    hurry = threading.Event()
    hurry.set()
    child.stop(hurry)


def test_process_has_requested_niceness(sleeper: ChildProcess) -> None:
    assert os.getpriority(os.PRIO_PROCESS, sleeper.pid) == NICE


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="the kernel has no autogroup scheduling")
def test_session_has_requested_niceness(sleeper: ChildProcess) -> None:
    assert Path(f"/proc/{sleeper.pid}/autogroup").read_text().split()[-1] == str(NICE)


def test_limit_for_stopping_covers_grace_periods_of_every_process() -> None:
    assert stop_limit(10) > 10 * (child_process._INTERRUPT_GRACE + child_process._TERMINATE_GRACE)
