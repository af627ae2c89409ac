"""Sending heartbeats, and whether a thread of a given name still runs."""

import ctypes
import re
import subprocess
import sys
import threading

from reachy_agent_ros.ros.rclpy_ext import pulse
from reachy_agent_ros.ros.rclpy_ext.pulse import Pulse, TimerThread
from support.waiting import wait_until

PR_SET_NAME = 15


def ignore(_reason: str) -> None:
    """For a pulse that is lost nowhere."""


def test_it_beats_on_while_the_loop_is_busy_with_one_long_turn(monkeypatch) -> None:
    monkeypatch.setattr(pulse, "LOOP_PATIENCE", 60.0)
    beats: list[int] = []
    sender = Pulse(lambda: beats.append(1), ignore)
    sender.turn()
    wait_until(lambda: len(beats) >= 5, 20.0, "five beats after one turn")
    sender.close()


def test_a_loop_that_has_not_turned_yet_or_not_for_long_has_no_pulse(monkeypatch) -> None:
    monkeypatch.setattr(pulse, "LOOP_PATIENCE", 0.05)
    monkeypatch.setattr(pulse, "HEARTBEAT_PERIOD", 0.01)
    beats: list[int] = []
    sender = Pulse(lambda: beats.append(1), ignore)
    threading.Event().wait(0.1)
    assert beats == []

    def turned_and_beat() -> bool:
        sender.turn()
        return bool(beats)

    wait_until(turned_and_beat, 20.0, "the first beat")

    def silent() -> bool:
        count = len(beats)
        threading.Event().wait(0.1)
        return len(beats) == count

    wait_until(silent, 20.0, "the beats to stop")
    sender.close()


def test_a_closed_pulse_beats_no_more() -> None:
    beats: list[int] = []
    sender = Pulse(lambda: beats.append(1), ignore)
    sender.turn()
    sender.close()
    sender.close()
    count = len(beats)
    threading.Event().wait(0.25)
    assert len(beats) == count


def test_who_stood_still_for_so_long_that_others_forgot_it_is_told_for_how_long_and_beats_no_more(monkeypatch) -> None:
    monkeypatch.setattr(pulse, "FORGOTTEN", 0.0)  # every wait is longer
    beats: list[int] = []
    told: list[str] = []
    sender = Pulse(lambda: beats.append(1), told.append)
    sender.turn()
    wait_until(lambda: bool(told), 20.0, "to be told")
    sender.close()
    assert len(told) == 1
    assert re.match(r"Stood still for \d+\.\d s\.", told[0])
    assert beats == []


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
    module = "reachy_agent_ros.ros.rclpy_ext.pulse"
    look = f"from {module} import TimerThread; t = TimerThread(); print(t.look(), t.look())"
    assert subprocess.run([sys.executable, "-c", look], capture_output=True, text=True).stdout == "0 0\n"
