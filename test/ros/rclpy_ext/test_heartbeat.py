"""Heartbeats: publishing, monitoring other nodes, and detecting a blocked middleware thread."""

from __future__ import annotations

import ctypes
import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from reachy_agent_msgs.msg import Heartbeat
from std_srvs.srv import Trigger

from reachy_agent_ros.ros.rclpy_ext import heartbeat
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor, HeartbeatPublisher, HeartbeatWatches, TimerThread
from support.nodes.node_process import Ros
from support.nodes.serving_node import NAME, serving
from support.waiting import wait_until

START_TIMEOUT = 30.0

PR_SET_NAME = 15


@pytest.fixture
def watch(ros: Ros) -> HeartbeatMonitor:
    return HeartbeatMonitor(ros.node, NAME)


@pytest.fixture
def losses(watch: HeartbeatMonitor) -> Iterator[list[str]]:
    """List that receives an element whenever the monitored node is lost."""
    seen: list[str] = []
    forget = watch.on_lost(lambda: seen.append("lost"))
    yield seen
    forget()


def wait_ready(watch: HeartbeatMonitor) -> None:
    wait_until(lambda: watch.ready, "the node to be ready", timeout=START_TIMEOUT)


def test_node_that_was_never_started_is_neither_alive_nor_lost(watch: HeartbeatMonitor, losses: list[str]) -> None:
    assert (watch.alive, watch.ready, watch.last, losses) == (False, False, None, [])


def test_heartbeat_identifies_running_node(watch: HeartbeatMonitor) -> None:
    with serving() as process:
        wait_ready(watch)
        assert watch.last is not None
        assert watch.last.node == f"/reachy_mini/{NAME}"
        assert watch.last.pid == process.pid


def test_starting_node_is_alive_but_not_ready(watch: HeartbeatMonitor) -> None:
    with serving("-p", "start:=starting"):
        wait_until(lambda: watch.alive, "a heartbeat", timeout=START_TIMEOUT)
        assert watch.last is not None
        assert watch.last.state == Heartbeat.STARTING
        assert not watch.ready


def test_killed_node_is_reported_lost_once(watch: HeartbeatMonitor, losses: list[str]) -> None:
    with serving() as process:
        wait_ready(watch)
        process.send_signal(signal.SIGKILL)
        wait_until(lambda: bool(losses), "the loss")
        wait_until(lambda: not watch.alive, "the end of its life")
    assert losses == ["lost"]


def test_suspended_node_is_lost_until_resumed(watch: HeartbeatMonitor, losses: list[str]) -> None:
    with serving() as process:
        wait_ready(watch)
        process.send_signal(signal.SIGSTOP)
        wait_until(lambda: bool(losses), "the loss")
        process.send_signal(signal.SIGCONT)
        wait_ready(watch)


def test_node_with_hanging_event_loop_is_lost(ros: Ros, watch: HeartbeatMonitor, losses: list[str]) -> None:
    client = ros.node.create_client(Trigger, "fall_silent")
    with serving() as process:
        wait_ready(watch)
        assert client.wait_for_service(START_TIMEOUT)
        client.call_async(Trigger.Request())
        wait_until(lambda: bool(losses), "the loss")
        assert process.poll() is None
    ros.node.destroy_client(client)


def test_restarted_node_is_reported_lost_once(watch: HeartbeatMonitor, losses: list[str]) -> None:
    for _ in range(2):
        with serving():
            wait_ready(watch)
        wait_until(lambda: not watch.alive, "the end of its life")
    wait_until(lambda: len(losses) == 2, "two losses")


def test_expected_node_without_heartbeat_is_reported_lost_each_time(watch: HeartbeatMonitor, losses: list[str]) -> None:
    for count in (1, 2):
        watch.expect()
        wait_until(lambda count=count: len(losses) == count, "the loss")


def test_expected_node_with_heartbeat_is_not_reported_lost(watch: HeartbeatMonitor, losses: list[str]) -> None:
    with serving():
        watch.expect()
        wait_ready(watch)
        watch.expect()
        assert (watch.alive, losses) == (True, [])


def test_removed_loss_callback_is_not_called(watch: HeartbeatMonitor) -> None:
    told: list[str] = []
    forget = watch.on_lost(lambda: told.append("told"))
    forget()
    with serving():
        wait_ready(watch)
    wait_until(lambda: not watch.alive, "the end of its life")
    assert told == []


def test_components_of_node_share_one_heartbeat_monitor(ros: Ros) -> None:
    watches = HeartbeatWatches(ros.node)
    assert watches.of("agent") is watches.of("agent")
    assert watches.of("agent").name == "agent"
    assert watches.of("tts") is not watches.of("agent")


def ignore(_reason: str) -> None:
    """Ignores a reported suspension, in tests that do not check suspensions."""


def test_heartbeat_publisher_sends_heartbeats_while_event_loop_is_busy(monkeypatch) -> None:
    monkeypatch.setattr(heartbeat, "LOOP_PATIENCE", 60.0)
    beats: list[int] = []
    sender = HeartbeatPublisher(lambda: beats.append(1), ignore)
    sender.turn()
    wait_until(lambda: len(beats) >= 5, "five beats after one turn")
    sender.close()


def test_heartbeat_publisher_sends_no_heartbeat_without_event_loop_progress(monkeypatch) -> None:
    monkeypatch.setattr(heartbeat, "LOOP_PATIENCE", 0.05)
    monkeypatch.setattr(heartbeat, "HEARTBEAT_PERIOD", 0.01)
    beats: list[int] = []
    sender = HeartbeatPublisher(lambda: beats.append(1), ignore)
    threading.Event().wait(0.1)
    assert beats == []

    def turned_and_beat() -> bool:
        sender.turn()
        return bool(beats)

    wait_until(turned_and_beat, "the first beat")

    def silent() -> bool:
        count = len(beats)
        threading.Event().wait(0.1)
        return len(beats) == count

    wait_until(silent, "the beats to stop")
    sender.close()


def test_closed_heartbeat_publisher_sends_no_heartbeat() -> None:
    beats: list[int] = []
    sender = HeartbeatPublisher(lambda: beats.append(1), ignore)
    sender.turn()
    sender.close()
    sender.close()
    count = len(beats)
    threading.Event().wait(0.25)
    assert len(beats) == count


def test_heartbeat_publisher_reports_long_suspension_and_stops(monkeypatch) -> None:
    monkeypatch.setattr(heartbeat, "FORGOTTEN", 0.0)  # every wait now lasts longer than the limit
    beats: list[int] = []
    told: list[str] = []
    sender = HeartbeatPublisher(lambda: beats.append(1), told.append)
    sender.turn()
    wait_until(lambda: bool(told), "to be told")
    sender.close()
    assert len(told) == 1
    assert re.match(r"This process was suspended for \d+\.\d s,", told[0])
    assert beats == []


@pytest.mark.usefixtures("another_middleware")
def test_heartbeat_publisher_tolerates_suspension_with_another_middleware(monkeypatch) -> None:
    monkeypatch.setattr(heartbeat, "FORGOTTEN", 0.0)
    beats: list[int] = []
    told: list[str] = []
    sender = HeartbeatPublisher(lambda: beats.append(1), told.append)
    sender.turn()
    wait_until(lambda: len(beats) > 1, "beats")
    sender.close()
    assert told == []


@pytest.mark.usefixtures("another_middleware")
def test_heartbeat_publisher_monitors_no_timer_thread_with_another_middleware(monkeypatch) -> None:
    monkeypatch.setattr(heartbeat, "_threads", lambda _name: pytest.fail("the heartbeat publisher looked for a thread"))
    beats: list[int] = []
    sender = HeartbeatPublisher(lambda: beats.append(1), ignore)
    sender.turn()
    wait_until(lambda: bool(beats), "a beat")
    sender.close()


class Sleeper(threading.Thread):
    """Thread with the name of a middleware thread, which only runs when the test wakes it."""

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
        """Lets the thread run once."""
        self._ran.clear()
        self._woken.set()
        assert self._ran.wait(10.0)


def test_detects_stuck_timer_thread_until_it_runs() -> None:
    still, other = Sleeper(b"dds.ev.7"), Sleeper(b"dds.udp.7")
    watched = TimerThread()

    def stands_still() -> bool:
        other.wake()
        return watched.look() > 5

    wait_until(stands_still, "six looks at which it had not run")
    still.wake()
    assert watched.look() == 0
    watched.close()


def test_watches_timer_thread_without_free_file_descriptor() -> None:
    still = Sleeper(b"dds.ev.8")
    watched = TimerThread()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            os.open(os.devnull, os.O_RDONLY)
        wait_until(lambda: watched.look() > 1, "two looks at which it had not run")
        still.wake()
        assert watched.look() == 0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    watched.close()


def test_missing_timer_thread_is_not_reported_as_stuck() -> None:
    module = "reachy_agent_ros.ros.rclpy_ext.heartbeat"
    look = f"from {module} import TimerThread; t = TimerThread(); print(t.look(), t.look())"
    assert subprocess.run([sys.executable, "-c", look], capture_output=True, text=True).stdout == "0 0\n"
