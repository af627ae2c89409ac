"""Whether a thread of a given name still runs."""

import ctypes
import subprocess
import sys
import threading

from reachy_agent_ros.ros.rclpy_ext.timer_thread import TimerThread
from support.waiting import wait_until

PR_SET_NAME = 15


class Sleeper(threading.Thread):
    """A thread that calls itself so, as those of the middleware do, and runs only when it is woken."""

    def __init__(self, name: bytes) -> None:
        super().__init__(daemon=True)
        self._called = name
        self._woken, self._ran = threading.Event(), threading.Event()
        self.start()
        assert self._ran.wait(10.0)

    def run(self) -> None:
        ctypes.CDLL(None).prctl(PR_SET_NAME, self._called, 0, 0, 0)
        self._ran.set()
        while self._woken.wait():
            self._woken.clear()
            self._ran.set()

    def wake(self) -> None:
        """Lets it run once."""
        self._ran.clear()
        self._woken.set()
        assert self._ran.wait(10.0)


def test_one_that_stands_still_is_noticed_although_others_run_and_no_more_once_it_runs() -> None:
    still, other = Sleeper(b"dds.ev.7"), Sleeper(b"dds.udp.7")
    watched = TimerThread()

    def stands_still() -> bool:
        other.wake()
        return watched.look() > 5

    wait_until(stands_still, 10.0, "six looks at which it had not run")
    still.wake()
    assert watched.look() == 0


def test_where_no_such_thread_is_there_is_nothing_to_miss() -> None:
    module = "reachy_agent_ros.ros.rclpy_ext.timer_thread"
    look = f"from {module} import TimerThread; t = TimerThread(); print(t.look(), t.look())"
    assert subprocess.run([sys.executable, "-c", look], capture_output=True, text=True).stdout == "0 0\n"
