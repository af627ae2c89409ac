"""Motion loop: a thread that commands the robot at 100 Hz with absolute deadlines."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.priority import raise_priority
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.connection import Connection
from reachy_agent_ros.robot.protocol import Robot

T = TypeVar("T")

PERIOD = 0.01
"""Period of the loop, s."""

_SWITCH_INTERVAL = 0.0005
"""Maximum time that another Python thread may hold the interpreter, s. Python's default is half a period."""

_CLOSING = 5.0
"""Maximum time that `close` waits for a connection attempt to end, s."""


class MotionLoop:
    """In each period, measures the robot, runs the controller and commands the robot.

    Deadlines are absolute, so delays do not add up. If the loop is late by more than a period, it skips the missed
    periods, because a burst of commands would be a jump. Connection attempts run in another thread.

    Args:
        robot: Robot, which is used only by the thread of this loop.
        controller: Controller that computes the commands.

    Attributes:
        connection: The connection to the robot.
        statistics: Statistics of the loop's periods.
        watch: Monitor that checks every command independently of the gate.
        priority: Description of the thread priority that the kernel granted.
    """

    def __init__(self, robot: Robot, controller: MotionController) -> None:
        self.connection = Connection(robot)
        self.statistics = PeriodStatistics(PERIOD)
        self.watch = CommandWatch()
        self.priority = "not started"
        self._robot = robot
        self._controller = controller
        self._errands: queue.SimpleQueue[tuple[Callable[[Robot], Any], Future[Any]]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="motion_loop", daemon=True)

    @property
    def alive(self) -> bool:
        """Whether the thread is running."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Starts the thread, which first connects to the robot."""
        sys.setswitchinterval(_SWITCH_INTERVAL)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread and closes the connection. The robot keeps its pose."""
        self._stop.set()
        self._thread.join()
        self.connection.close(_CLOSING)

    def submit(self, errand: Callable[[Robot], T]) -> Future[T]:
        """Runs the callback `errand` in the loop's thread. Fails with `ROBOT_DISCONNECTED` without a connection."""
        future: Future[T] = Future()
        self._errands.put((errand, future))
        return future

    def _run(self) -> None:
        self.priority = raise_priority()
        deadline = last = time.monotonic()
        while not self._stop.is_set():
            deadline += PERIOD
            late = time.monotonic() - deadline
            if late > PERIOD:
                missed = int(late / PERIOD)
                self.statistics.overruns += missed
                deadline += missed * PERIOD
            time.sleep(max(0.0, deadline - time.monotonic()))
            now = time.monotonic()
            self.statistics.add(now - last)
            self._cycle(now, now - last)
            last = now

    def _cycle(self, now: float, dt: float) -> None:
        connected = self.connection.established()
        self._run_errands(connected)
        if not connected:
            return
        gate = self._controller.gate
        stopped = gate.stop_reason is not None
        try:
            command = self._controller.cycle(self._robot.measure(), now, dt)
            self.watch.see(command, dt, stopped or gate.stop_reason is not None)
            if command is not None:
                self._robot.command(command)
        except AgentError as error:
            self._fail(error)

    def _fail(self, error: AgentError) -> None:
        self.watch.forget()
        if error.code is ErrorCode.ROBOT_DISCONNECTED:
            self._controller.disconnected(error)
            self.connection.lose(error)
        else:
            self._controller.rejected(error)

    def _run_errands(self, connected: bool) -> None:
        while not self._errands.empty():
            errand, future = self._errands.get()
            try:
                if not connected:
                    raise AgentError(ErrorCode.ROBOT_DISCONNECTED, "The robot does not answer.")
                done = errand(self._robot)
            except AgentError as error:
                future.set_exception(error)
            else:
                future.set_result(done)


@dataclass(frozen=True)
class Punctuality:
    """Statistics of the deviation (s) of loop periods from the nominal period.

    Attributes:
        p50: Median deviation.
        p99: 99th percentile of the deviation.
        worst: Maximum deviation.
        overruns: Number of periods skipped since the start because the loop was late by more than a period.
    """

    p50: float
    p99: float
    worst: float
    overruns: int


class PeriodStatistics:
    """Records the deviations of the latest loop periods from the nominal period.

    One thread adds values; any thread may read them.

    Args:
        period: Nominal period, s.
        window: Number of periods kept.
    """

    def __init__(self, period: float, window: int = 3000) -> None:
        self._period = period
        self._deviations = np.zeros(window)
        self._count = 0
        self.overruns = 0

    @property
    def count(self) -> int:
        """Number of periods since the start."""
        return self._count

    def add(self, period: float) -> None:
        """Adds the length of one period (s)."""
        self._deviations[self._count % len(self._deviations)] = abs(period - self._period)
        self._count += 1

    def punctuality(self) -> Punctuality:
        """Returns the statistics of the latest periods, or zeros before the first period."""
        seen = self._deviations[: min(self._count, len(self._deviations))]
        if len(seen) == 0:
            return Punctuality(0.0, 0.0, 0.0, self.overruns)
        p50, p99, worst = (float(value) for value in np.percentile(seen, [50, 99, 100]))
        return Punctuality(p50, p99, worst, self.overruns)
