"""The sending side of a heartbeat: proof that a node's loop turns, on time even when the loop is busy.

It also watches the middleware's own threads, of which a deadlock can stop the one that runs the timers for good.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from reachy_agent_ros.core.priority import raise_niceness
from reachy_agent_ros.ros.rclpy_ext.qos import HEARTBEAT_PERIOD
from reachy_agent_ros.supervision.transport import FORGOTTEN

LOOP_PATIENCE = 2.0
"""Seconds without a turn after which a loop counts as hung."""

MIDDLEWARE_PATIENCE = 5.0
"""Seconds in which the middleware's thread of timers runs, however busy the machine: it has work twice a second."""

STOOD_STILL = (
    "Stood still for {:.1f} s. Other nodes may have forgotten this one for good, so it ends, to be started again."
)

DEAF = "The middleware is stuck, so this node hears nobody any more. It ends, to be started again."


class Pulse:
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
        self._timers = TimerThread()
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
        _hurry_middleware()
        before = time.monotonic()
        while not self._stop.wait(HEARTBEAT_PERIOD):
            now = time.monotonic()
            if now - before > FORGOTTEN:
                self._on_lost(STOOD_STILL.format(now - before))
                return
            if self._timers.look() * HEARTBEAT_PERIOD > MIDDLEWARE_PATIENCE:
                self._on_lost(DEAF)
                return
            before = now
            if now - self._turned < LOOP_PATIENCE:
                self._beat()


class TimerThread:
    """Watches the thread in which Fast DDS runs the timers of this process's participant.

    That thread, and the one that takes down what another node leaves behind, can each hold what the other one waits for
    (eProsima/Fast-DDS#6502). From then on the node hears nothing, not even a stop, but goes on to speak, so nobody
    misses it. As the thread sends each sign of life, one that has not run for long never will again.

    Where another middleware is used, there is nothing to watch.
    """

    def __init__(self) -> None:
        self._statistics = [thread / "schedstat" for thread in _threads("dds.ev.")]
        self._seen: list[str] = []
        self._unchanged = 0

    def look(self) -> int:
        """Looks whether it has run, and returns at how many looks in a row it has not."""
        seen = [path.read_text() for path in self._statistics]
        self._unchanged = self._unchanged + 1 if seen and seen == self._seen else 0
        self._seen = seen
        return self._unchanged


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
