"""Heartbeats of other nodes: knowing that a node still works, and noticing soon that it does not."""

from __future__ import annotations

import time
from collections.abc import Callable

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from reachy_agent_msgs.msg import Heartbeat

from reachy_agent_ros.ros.rclpy_ext.qos import HANG_PATIENCE, HEARTBEAT_PATIENCE, heartbeat_profile

FIRST_BEAT = 4.0
"""Seconds that a node which is there has to be heard: its own discovery of a new listener takes one of them, more on a
busy machine."""


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
        self._watches: dict[str, HeartbeatWatch] = {}

    def of(self, other: str) -> HeartbeatWatch:
        """The watch of a node, by its name relative to the namespace."""
        if other not in self._watches:
            self._watches[other] = HeartbeatWatch(self._node, other)
        return self._watches[other]


class HeartbeatWatch:
    """Watches one other node.

    A silent node whose process still runs on this machine may only be late, as on a busy one, so it is given longer
    than one that is dead. A restarted node counts as lost once: what it was serving is gone, although its name is back.

    Args:
        node: Whose executor runs the callbacks.
        other: Name of the node to watch, relative to the namespace or fully qualified.
        patience: Seconds of silence after which a node that died, or is on another machine, counts as lost.
        hang_patience: Seconds of silence after which it counts as lost although its process runs.
        expected: Whether it is known to be there, so that it counts as lost when not even a first beat comes.
    """

    def __init__(
        self,
        node: Node,
        other: str,
        *,
        patience: float = HEARTBEAT_PATIENCE,
        hang_patience: float = HANG_PATIENCE,
        expected: bool = False,
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
        if expected:
            self._first_beat = node.create_timer(FIRST_BEAT, self._require_first_beat, clock=steady)

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


def _runs(pid: int) -> bool:
    """Whether a process of this machine is neither dead nor halted."""
    import psutil  # here: few nodes ever need it, and it is megabytes in each

    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD, psutil.STATUS_STOPPED)
    except psutil.NoSuchProcess:
        return False
    except (psutil.Error, OSError):  # no descriptor is free to look, so nothing is known of it
        return True
