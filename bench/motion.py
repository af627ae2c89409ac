"""Motion: CPU time and limits of the motion loop under random commands, and the accuracy of the measured gaze.

Run `reachy-agent bench motion`, on a simulated clock that is faster than real time. It takes about a minute, with
`--full` two to five for ten minutes of random commands and 200 points to look at.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

import numpy as np

from bench.random_commands import RandomCommands
from bench.report import Figure, percentile, print_report
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.gaze import EYE_HEIGHT
from reachy_agent_ros.motion.loop import PERIOD
from reachy_agent_ros.motion.request import Gaze
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot

SEED = 20
DURATION, SHORT_DURATION = 600.0, 120.0  # s of simulated time
EAGER = Breath(pause=1.0)  # so that the random commands interrupt many breaths
POINTS, SHORT_POINTS = 200, 40
SETTLED = 0.6  # s after the end of a gaze move
WATCHED = 1.5  # s after it
AT_REST = math.radians(1.0)  # deviation from the final error that counts as settled


class Laboratory:
    """Simulated robot with its controller, advanced in steps."""

    def __init__(self, breath: Breath) -> None:
        self.now = 100.0
        self.robot = MujocoRobot("empty", lambda: self.now)
        self.controller = MotionController(breath)
        self.computing: list[float] = []
        self.robot.connect()
        self.watch = CommandWatch()
        self.run(0.1)

    def run(self, duration: float) -> None:
        """Advances the simulated time by `duration` (s)."""
        for _ in range(round(duration / PERIOD)):
            self.turn()

    def turn(self) -> None:
        """Runs one period of the motion loop."""
        self.now += PERIOD
        measurement = self.robot.measure()
        started = time.thread_time()
        command = self.controller.cycle(measurement, self.now, PERIOD)
        self.computing.append(1e3 * (time.thread_time() - started))
        self.watch.see(command, PERIOD, stopped=self.controller.gate.stop_reason is not None)
        if command is not None:
            self.robot.command(command)

    def gaze_error(self, point: Vector) -> float:
        """Returns the angle (rad) between the camera's measured optical axis and a point in the frame `head_base`."""
        head = self.robot.measure().pose.head
        direction = point - (head[:3, 3] + EYE_HEIGHT * head[:3, 2])
        return math.acos(min(1.0, float(head[:3, 0] @ direction / np.linalg.norm(direction))))


def main(as_json: bool, full: bool = False) -> int:
    """Measures random commands and gaze moves. Always returns exit code 0."""
    duration, points = (DURATION, POINTS) if full else (SHORT_DURATION, SHORT_POINTS)
    print_report("motion", [*random_commands(duration), *looks(points)], as_json)
    return 0


def random_commands(duration: float) -> Iterator[Figure]:
    """Measures the motor commands during `duration` (s) of random requests of every kind."""
    laboratory = Laboratory(EAGER)
    commands = RandomCommands(laboratory.robot, laboratory.controller, np.random.default_rng(SEED))
    end = laboratory.now + duration
    while laboratory.now < end:
        commands.act(laboratory.now)
        laboratory.turn()
    watch = laboratory.watch
    yield Figure(f"random commands, {duration / 60.0:g} min: motions and streams begun", commands.begun, "")
    yield Figure("random commands: limit violations", watch.violations, "", 0.0)
    yield Figure("random commands: velocity jumps", watch.jumps, "", 0.0)
    yield Figure("random commands: greatest acceleration, of its limit", 100.0 * watch.acceleration, "%")
    yield Figure("processor time of one period, median", percentile(laboratory.computing, 50), "ms")
    yield Figure("processor time of one period, p99", percentile(laboratory.computing, 99), "ms")


def looks(count: int) -> Iterator[Figure]:
    """Measures the gaze error and the settling time of the head, for `count` points in front of the robot."""
    laboratory, generator = Laboratory(Breath()), np.random.default_rng(SEED)
    errors: list[float] = []
    settling: list[float] = []
    failed = 0
    while len(errors) < count:
        point = random_point(generator)
        endings: list[AgentError | None] = []
        try:
            playback, clamped = laboratory.controller.execute(Gaze(point, "head_base"), "bench", endings.append)
        except AgentError:
            continue
        if clamped:
            laboratory.controller.hold()
            continue
        laboratory.turn()
        laboratory.run(playback.progress(laboratory.now)[1])
        course = watched(laboratory, point)
        errors.append(math.degrees(course[round(SETTLED / PERIOD)]))
        settling.append(settling_time(course))
        failed += endings != [None]
    yield Figure(f"look at {count} points: gaze error {SETTLED} s later, median", median(errors), "deg", 1.5)
    yield Figure("look at: gaze error, p95", percentile(errors, 95), "deg", 3.0)
    yield Figure("look at: gaze error, max", max(errors), "deg")
    yield Figure("look at: settled to 1 deg after the end of the move, p95", percentile(settling, 95), "s", SETTLED)
    yield Figure("look at: motions that did not end well", failed, "", 0.0)


def watched(laboratory: Laboratory, point: Vector) -> list[float]:
    """Returns the gaze error (rad) in every control period after a move."""
    course = []
    for _ in range(round(WATCHED / PERIOD)):
        laboratory.turn()
        course.append(laboratory.gaze_error(point))
    return course


def settling_time(course: list[float]) -> float:
    """Returns the settling time (s): the time until the error stays near its final value."""
    away = [index for index, error in enumerate(course) if abs(error - course[-1]) > AT_REST]
    return (away[-1] + 1) * PERIOD if away else 0.0


def random_point(generator: np.random.Generator) -> Vector:
    """Returns a random point (m, in the frame `head_base`) in front of the robot that the camera can be aimed at."""
    distance = generator.uniform(0.3, 2.0)
    azimuth, elevation = generator.uniform(-1.3, 1.3), generator.uniform(-0.5, 0.6)
    across = distance * math.cos(elevation)
    return np.array([across * math.cos(azimuth), across * math.sin(azimuth), distance * math.sin(elevation)])


def median(values: list[float]) -> float:
    """Returns the median of the values."""
    return percentile(values, 50)
