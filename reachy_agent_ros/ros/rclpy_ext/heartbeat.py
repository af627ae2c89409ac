"""Heartbeats: `HeartbeatPublisher` sends those of a node, `HeartbeatMonitor` notices when another node stops working.

A heartbeat proves that the loop of a node turns, and is on time even when that loop is busy. With Fast DDS, the sender
also watches a thread of the middleware, because a deadlock can stop the one that runs the timers for good.
"""

from __future__ import annotations

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
"""Seconds that a node which is there has to be heard: its own discovery of a new listener takes one of them, more on a
busy machine."""

LOOP_PATIENCE = 2.0
"""Seconds without a turn after which a loop counts as hung."""

_MIDDLEWARE_PATIENCE = 5.0
"""Seconds in which the middleware's thread of timers runs, however busy the machine: it has work twice a second."""

_STOOD_STILL = (
    "Stood still for {:.1f} s. Other nodes may have forgotten this one for good, so it ends, to be started again."
)
DEAF = "The middleware is stuck, so this node hears nobody any more. It ends, to be started again."


def heartbeat_topic(node_name: str) -> str:
    """Topic on which the node of that name (relative or fully qualified) sends its heartbeat."""
    return f"{node_name}/heartbeat"


class HeartbeatWatches:
    """Makes and shares them: every further subscription of the same heartbeat would cost a callback for each beat.

    Args:
        node: Whose executor runs the callbacks.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._watches: dict[str, HeartbeatMonitor] = {}

    def of(self, other: str) -> HeartbeatMonitor:
        """The watch of a node, by its name relative to the namespace."""
        if other not in self._watches:
            self._watches[other] = HeartbeatMonitor(self._node, other)
        return self._watches[other]


class HeartbeatMonitor:
    """Watches one other node.

    A silent node whose process still runs on this machine may only be late, as on a busy one, so it is given longer
    than one that is dead. A restarted node counts as lost once: what it was serving is gone, although its name is back.

    Args:
        node: Whose executor runs the callbacks.
        other: Name of the node to watch, relative to the namespace or fully qualified.
        patience: Seconds of silence after which a node that died, or is on another machine, counts as lost.
        hang_patience: Seconds of silence after which it counts as lost although its process runs.
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
        # Not the middleware's own word of a missed deadline: see `EventlessNode`.
        self._overdue = node.create_timer(patience, self._miss_beat, clock=steady)
        self._subscription = node.create_subscription(
            Heartbeat, heartbeat_topic(other), self._receive, heartbeat_profile(patience)
        )
        self._first_beat = node.create_timer(FIRST_BEAT, self._require_first_beat, clock=steady)
        self._first_beat.cancel()

    @property
    def last(self) -> Heartbeat | None:
        """The latest heartbeat, None before the first."""
        return self._last

    @property
    def alive(self) -> bool:
        """Whether it was heard a moment ago and not lost since."""
        return not self._lost and (self._silence < self._patience or self._only_late())

    @property
    def ready(self) -> bool:
        """Whether it is alive and past its start-up."""
        return self.alive and self._last is not None and self._last.state in (Heartbeat.READY, Heartbeat.DEGRADED)

    def on_lost(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls `callback`, in the executor, each time the node is lost. Returns a function that ends this."""
        self._on_lost.append(callback)
        return lambda: self._on_lost.remove(callback)

    def expect(self) -> None:
        """Takes word from elsewhere that the node is there: it counts as lost when no beat follows in `FIRST_BEAT`.

        To be called in the executor. A node can ask for something, and die, before its first beat was heard.
        """
        if self.alive:
            return
        if self._last is not None:  # what an earlier process of that name asked for is gone
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
        """Comes again after every further `patience` without one."""
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
    """Beats in a thread of its own for as long as the loop that works turns.

    An executor that is woken by events takes them in order, so behind a flood of calls its timers are late. If it sent
    the beats, a node that works hard would pass for a dead one, and the robot would be stopped in mid-move.

    Args:
        beat: Sends one heartbeat.
        on_lost: Called with the reason why this process may never hear others again, or be heard by them; there is no
            beat any more.
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
        """Notes that the loop has turned. To be called by the loop itself."""
        self._turned = time.monotonic()

    def close(self) -> None:
        """Stops beating. Safe to call twice."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        raise_niceness()
        if self._timers is not None:
            _hurry_middleware()
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
        """Why Fast DDS may have lost this process to the others, or the others to it; empty while nothing tells so."""
        if self._timers is None:
            return ""
        if stood_still > FORGOTTEN:
            return _STOOD_STILL.format(stood_still)
        return DEAF if self._timers.look() * HEARTBEAT_PERIOD > _MIDDLEWARE_PATIENCE else ""


class TimerThread:
    """Watches the thread in which Fast DDS runs the timers of this process's participant.

    That thread, and the one that takes down what another node leaves behind, can each hold what the other one waits for
    (eProsima/Fast-DDS#6502). From then on the node hears nothing, not even a stop, but goes on to speak, so nobody
    misses it. As the thread sends each sign of life, one that has not run for long never will again.
    """

    def __init__(self) -> None:
        self._statistics = [thread / "schedstat" for thread in _threads("dds.ev.")]
        self._seen: list[str] = []
        self._unchanged = 0

    def look(self) -> int:
        """Checks whether it has run since the last check. Returns the number of checks in a row at which it had not."""
        seen = [path.read_text() for path in self._statistics]
        self._unchanged = self._unchanged + 1 if seen and seen == self._seen else 0
        self._seen = seen
        return self._unchanged


def _runs(pid: int) -> bool:
    """Whether a process of this machine is neither dead nor halted."""
    import psutil  # here: few nodes ever need it, and it is megabytes in each

    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD, psutil.STATUS_STOPPED)
    except psutil.NoSuchProcess:
        return False
    except (psutil.Error, OSError):  # no descriptor is free to look, so nothing is known of it
        return True


def _hurry_middleware() -> None:
    """Has the threads of Fast DDS run before those that compute, where this user may.

    To publish waits for their locks. On a machine that is too busy a heartbeat took up to a second for that reason, and
    the robot held because it did not hear its commander.
    """
    for thread in _threads("dds."):
        with suppress(ProcessLookupError):  # it has ended meanwhile
            raise_niceness(int(thread.name))


def _threads(name: str) -> Iterator[Path]:
    """Folders of this process's threads whose names begin so."""
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            if (task / "comm").read_text().startswith(name):
                yield task
