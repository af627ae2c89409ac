import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.supervision.supervised_process import ChildProcess

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
