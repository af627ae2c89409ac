"""Heartbeats: `HeartbeatPublisher` sends a node's heartbeats, `HeartbeatMonitor` detects the failure of another node.

A heartbeat proves that the main loop of a node makes progress, and is on time even if that loop is busy. With Fast DDS,
the publisher also watches the timer thread of the middleware, which a deadlock can stop permanently.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from reachy_agent_msgs.msg import Heartbeat

from reachy_agent_ros.core.priority import raise_niceness
from reachy_agent_ros.ros.rclpy_ext.process import uses_fast_dds
from reachy_agent_ros.ros.rclpy_ext.qos import HANG_PATIENCE, HEARTBEAT_PATIENCE, HEARTBEAT_PERIOD, heartbeat_profile
from reachy_agent_ros.supervision.transport import FORGOTTEN

FIRST_BEAT = 4.0
"""Time within which the first heartbeat of a running node arrives, s. The node takes 1 s to discover a new subscriber,
and longer on a busy machine."""

LOOP_PATIENCE = 2.0
"""Time without an iteration after which a loop counts as hung, s."""

_MIDDLEWARE_PATIENCE = 5.0
"""Time within which the timer thread of the middleware runs even on a busy machine, s: it has work twice a second."""

_LONGEST_LINE = 100
"""Maximum size of a schedstat file, bytes: three numbers."""

_STOOD_STILL = (
    "This process was suspended for {:.1f} s, so other nodes may have dropped it for good. It exits to be restarted."
)
DEAF = "The middleware is stuck, so this node no longer receives messages. It exits to be restarted."


def heartbeat_topic(node_name: str) -> str:
    """Returns the heartbeat topic of a node. The name of the node can be relative or fully qualified."""
    return f"{node_name}/heartbeat"


class HeartbeatWatches:
    """Cache of heartbeat monitors within a node, to avoid a second callback for each heartbeat.

    Args:
        node: Node that monitors the others. Its executor runs the callbacks.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._watches: dict[str, HeartbeatMonitor] = {}

    def of(self, other: str) -> HeartbeatMonitor:
        """Returns the monitor of a node, given its name relative to the namespace."""
        if other not in self._watches:
            self._watches[other] = HeartbeatMonitor(self._node, other)
        return self._watches[other]


class HeartbeatMonitor:
    """Monitors the heartbeat of another node.

    A silent node whose process is still running on this machine may only be late, so it gets more time than a dead one.
    A restarted node counts as lost once, because its pending requests are gone.

    Args:
        node: Node that monitors the others. Its executor runs the callbacks.
        other: Name of the monitored node, relative to the namespace or fully qualified.
        patience: Silence after which a node that died, or is on another machine, counts as lost, s.
        hang_patience: Silence after which a node whose process runs on this machine counts as lost, s.
    """

    def __init__(
        self,
        node: Node,
        other: str,
        *,
        patience: float = HEARTBEAT_PATIENCE,
        hang_patience: float = HANG_PATIENCE,
    ) -> None:
        self._patience = patience
        self._hang_patience = hang_patience
        self.name = other
        self._last: Heartbeat | None = None
        self._received = -float("inf")
        self._lost = False
        self._on_lost: list[Callable[[], None]] = []
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        # A timer instead of the middleware's deadline event: see `EventlessNode`.
        self._overdue = node.create_timer(patience, self._miss_beat, clock=steady)
        self._subscription = node.create_subscription(
            Heartbeat, heartbeat_topic(other), self._receive, heartbeat_profile(patience)
        )
        self._first_beat = node.create_timer(FIRST_BEAT, self._require_first_beat, clock=steady)
        self._first_beat.cancel()

    @property
    def last(self) -> Heartbeat | None:
        """Latest heartbeat, or None before the first heartbeat."""
        return self._last

    @property
    def alive(self) -> bool:
        """Whether the node has sent a heartbeat recently, and has not been lost since that heartbeat."""
        return not self._lost and (self._silence < self._patience or self._only_late())

    @property
    def ready(self) -> bool:
        """Whether the node is alive and its state is READY or DEGRADED."""
        return self.alive and self._last is not None and self._last.state in (Heartbeat.READY, Heartbeat.DEGRADED)

    @property
    def degraded(self) -> bool:
        """Whether the node is alive and its state is DEGRADED."""
        return self.alive and self._last is not None and self._last.state == Heartbeat.DEGRADED

    def on_lost(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Registers a callback for every loss of the node. Returns a function that removes the callback.

        The callback runs in the executor.
        """
        self._on_lost.append(callback)
        return lambda: self._on_lost.remove(callback)

    def expect(self) -> None:
        """Starts to expect a heartbeat. If none arrives within `FIRST_BEAT`, the node counts as lost.

        Call this, in the executor, when there is other evidence of the node, such as a request: the node may die before
        its first heartbeat arrives.
        """
        if self.alive:
            return
        if self._last is not None:  # the requests of an earlier process of that name are gone
            self._lose()
            self._last = None
        self._lost = False
        self._first_beat.reset()

    def _receive(self, beat: Heartbeat) -> None:
        if self._last is not None and beat.pid != self._last.pid:  # restarted within the deadline
            self._lose()
        self._last = beat
        self._received = time.monotonic()
        self._lost = False
        self._overdue.reset()

    @property
    def _silence(self) -> float:
        return time.monotonic() - self._received

    def _only_late(self) -> bool:
        return self._last is not None and self._silence < self._hang_patience and _runs(self._last.pid)

    def _miss_beat(self) -> None:
        """Handles a missing heartbeat. Called after each period of `patience` without a heartbeat."""
        if self._last is not None and not self._only_late():
            self._lose()

    def _require_first_beat(self) -> None:
        self._first_beat.cancel()
        if self._last is None:
            self._lose()

    def _lose(self) -> None:
        if self._lost:
            return
        self._lost = True
        for callback in list(self._on_lost):
            callback()


class HeartbeatPublisher:
    """Sends heartbeats in a separate thread while the main loop of the node is responsive.

    The events executor handles events in order, so many calls delay its timers. If it sent the heartbeats, a busy node
    would count as dead, and the robot would stop in the middle of a motion.

    Args:
        beat: Sends one heartbeat.
        on_lost: Called with the reason why communication with other nodes may be permanently broken. Afterwards no
            heartbeat is sent.
    """

    def __init__(self, beat: Callable[[], None], on_lost: Callable[[str], None]) -> None:
        self._beat = beat
        self._on_lost = on_lost
        self._timers = TimerThread() if uses_fast_dds() else None
        self._turned = -float("inf")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self._thread.start()

    def turn(self) -> None:
        """Records an iteration of the main loop. Call this in every iteration."""
        self._turned = time.monotonic()

    def close(self) -> None:
        """Stops the heartbeat. Safe to call twice."""
        self._stop.set()
        self._thread.join()
        if self._timers is not None:
            self._timers.close()

    def _run(self) -> None:
        raise_niceness()
        if self._timers is not None:
            _raise_middleware_priority()
        before = time.monotonic()
        while not self._stop.wait(HEARTBEAT_PERIOD):
            now = time.monotonic()
            if loss := self._loss(now - before):
                self._on_lost(loss)
                return
            before = now
            if now - self._turned < LOOP_PATIENCE:
                self._beat()

    def _loss(self, stood_still: float) -> str:
        """Returns why Fast DDS may have lost contact with other processes, or "" if the contact is intact."""
        if self._timers is None:
            return ""
        if stood_still > FORGOTTEN:
            return _STOOD_STILL.format(stood_still)
        return DEAF if self._timers.look() * HEARTBEAT_PERIOD > _MIDDLEWARE_PATIENCE else ""


class TimerThread:
    """Monitors the timer thread of this process's Fast DDS participant.

    This thread and the thread that removes a departed participant can each hold the lock that the other one waits for
    (eProsima/Fast-DDS#6502). Then the node receives nothing, not even a stop, but still sends, so others do not notice.
    The timer thread sends the participant's liveliness messages. If it has not run for long, it will never run again.

    The statistics stay open, so that they can be read even if no file descriptor is free.
    """

    def __init__(self) -> None:
        self._statistics = [(thread / "schedstat").open("rb", buffering=0) for thread in _threads("dds.ev.")]
        self._seen: list[bytes] = []
        self._unchanged = 0

    def look(self) -> int:
        """Checks whether the timer thread has run since the last check. Returns how often in a row it has not run."""
        seen = [os.pread(file.fileno(), _LONGEST_LINE, 0) for file in self._statistics]
        self._unchanged = self._unchanged + 1 if seen and seen == self._seen else 0
        self._seen = seen
        return self._unchanged

    def close(self) -> None:
        """Closes the statistics. Safe to call twice."""
        for file in self._statistics:
            file.close()


def _runs(pid: int) -> bool:
    """Returns whether a process on this machine exists and is not stopped."""
    import psutil  # imported here: few nodes need it, and it takes megabytes

    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD, psutil.STATUS_STOPPED)
    except psutil.NoSuchProcess:
        return False
    except (psutil.Error, OSError):  # unknown, for example because no file descriptor is free
        return True


def _raise_middleware_priority() -> None:
    """Raises the priority of the Fast DDS threads above the priority of computing threads, if permitted.

    Publishing waits for locks of these threads. Without this, a heartbeat took up to a second on an overloaded machine,
    and the robot held its pose because its commander's heartbeat was missing.
    """
    for thread in _threads("dds."):
        with suppress(ProcessLookupError):  # the thread has ended
            raise_niceness(int(thread.name))


def _threads(name: str) -> Iterator[Path]:
    """Yields the /proc folders of this process's threads whose names begin with `name`."""
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # the thread has ended
            if (task / "comm").read_text().startswith(name):
                yield task
