"""Random postures in the simulation. The head must settle near the commanded pose in each posture.

`scripts/chaos postures` moves a simulated robot to random goals that the gate accepts, one after another. It holds each
posture until the head stops moving, and compares the head pose with the command: a head that rests on the body tips
over, and a head near a singularity of the Stewart platform sinks. On the way to these goals, the robot moves four times
as fast as planned and without the gate, which saves time. Then it does the same with sequences of goals that interrupt
one another at random moments, all of which pass the gate. The default numbers take two and a half hours of one core;
change them with `--goals` and `--schedules`. To use several cores, start several processes with different seeds.

The simulated motors are springs, each of which yields to the weight of the head by up to 2 degrees. So a head that was
commanded to just above the shell may touch it. The number of contacts and the depth of the overlap are reported
without a limit.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from bench.report import Figure, print_report
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector
from reachy_agent_ros.motion.pose_move import route
from reachy_agent_ros.robot.coordinates import posture
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.target_validation import Target

GOALS = 100_000
SCHEDULES = 20_000
PERIOD = 0.02
"""Period of the motion loop, s: twice the usual period, which the gate allows."""

TOLERANCE = 3.0
"""Largest accepted angle between the settled head and its command, degrees."""

HASTE = 4.0
"""How many times faster than planned the robot moves to goals without the gate."""

WINDOW = 0.25
"""Time between two measurements of the settling head, s."""

STANDING = 0.005
"""Change of the error within each of the last two windows below which the head counts as settled, degrees."""

LONGEST_HOLD = 20.0
"""Longest time to wait for the head to settle after a move, s."""

_LONGEST_SCHEDULE = 6


class Robot:
    """Simulated robot behind the safety gate, with a simulated clock that runs faster than real time.

    Its joints have no friction. The simulated friction is soft: a head at rest creeps for seconds to the posture that
    it would reach at once without friction.
    """

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator
        self._now = 0.0
        self._body = MujocoRobot(clock=lambda: self._now)
        self._body.connect()
        self._body.rewind(friction=0.0)
        self._gate = SafetyGate()
        self._gate.reset(self._body.pose())
        self._overlap = 0.0

    def hurry(self) -> None:
        """Moves the robot to a random goal, faster than planned and without the gate."""
        goal = self._goal()
        move = route(self.command, goal, self._gate.workspace).move(self._gate.state)
        for moment in np.arange(0.0, move.duration, HASTE * PERIOD):
            self._advance(move.at(float(moment)))
        self._advance(goal)
        self._gate.reset(goal)

    def go(self, seconds: float = math.inf) -> None:
        """Moves the robot toward a random goal for `seconds` seconds, or until the robot arrives."""
        move = route(self.command, self._goal(), self._gate.workspace).move(self._gate.state)
        for step in range(round(min(seconds, move.duration) / PERIOD)):
            self._step(move.at(step * PERIOD))

    def settle(self) -> None:
        """Holds the commanded posture until the head has stopped moving."""
        while self._gate.state.velocity.any():
            self._step(None)
        calm = 0
        for _ in range(round(LONGEST_HOLD / WINDOW)):
            before = self.error()
            for _ in range(round(WINDOW / PERIOD)):
                self._advance(self.command)
            calm = calm + 1 if abs(self.error() - before) < STANDING else 0
            if calm == 2:
                return

    def _step(self, wanted: BodyPose | None) -> None:
        self._advance(self._gate.step(wanted, self._body.pose(), PERIOD))

    def _advance(self, command: BodyPose) -> None:
        self._body.command(command)
        self._now += PERIOD
        self._overlap = max(self._overlap, self._body.overlap())

    @property
    def command(self) -> BodyPose:
        """Posture that is currently commanded."""
        return posture(self._gate.state.position)

    def error(self) -> float:
        """Returns the angle (degrees) between the measured and the commanded orientation of the head."""
        return _angle(self._body.pose().head, self.command.head)

    def overlap(self) -> float:
        """Returns the deepest overlap (mm) of two parts of the robot since the last call; 0 without contact."""
        overlap, self._overlap = self._overlap, 0.0
        return 1e3 * overlap

    def _goal(self) -> BodyPose:
        while True:
            share = self._generator.choice([0.5, 0.8, 1.0])
            wish = posture(share * self._generator.uniform(LOW, HIGH))
            body_yaw = None if self._generator.random() < 0.5 else wish.body_yaw
            try:
                return self._gate.admit(Target(wish.head, body_yaw=body_yaw), self.command).pose
            except AgentError:
                continue


def main(as_json: bool, goals: int = GOALS, schedules: int = SCHEDULES, seed: int = 1) -> int:
    """Moves to random postures and prints the figures. Returns exit code 1 if the head settled too far away, else 0."""
    generator = np.random.default_rng(seed)
    robot = Robot(generator)
    figures = []
    for name, count, interrupted in (("goals", goals, False), ("schedules", schedules, True)):
        errors, overlaps = np.array([_settled(robot, generator, interrupted) for _ in range(count)]).reshape(-1, 2).T
        title = f"{name}: settled more than {TOLERANCE:g} deg from the command, of {count}"
        figures += [
            Figure(title, beyond(errors, TOLERANCE), "", 0),
            Figure(f"{name}: greatest error", float(errors.max(initial=0.0)), "deg"),
            Figure(f"{name}: parts of the robot touched", beyond(overlaps, 0.0), ""),
            Figure(f"{name}: deepest overlap", float(overlaps.max(initial=0.0)), "mm"),
        ]
    print_report("postures", figures, as_json)
    return int(not all(figure.holds for figure in figures))


def beyond(values: Vector, limit: float) -> int:
    """Returns the number of values above a limit."""
    return int((values > limit).sum())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `scripts/chaos postures`."""
    parser.add_argument("--goals", type=int, default=GOALS, help="one after the other (default: %(default)s)")
    parser.add_argument("--schedules", type=int, default=SCHEDULES, help="of interrupted goals (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random generator (default: %(default)s)")


def _settled(robot: Robot, generator: np.random.Generator, interrupted: bool) -> tuple[float, float]:
    """Returns the angular error (degrees) of the settled head and the deepest overlap (mm) during the motion."""
    if interrupted:
        for _ in range(generator.integers(1, _LONGEST_SCHEDULE)):
            robot.go(float(generator.uniform(0.05, 1.2)))
        robot.go()
    else:
        robot.hurry()
    robot.settle()
    return robot.error(), robot.overlap()


def _angle(first: Matrix, second: Matrix) -> float:
    cosine = (np.trace(first[:3, :3].T @ second[:3, :3]) - 1.0) / 2.0
    return math.degrees(math.acos(min(1.0, max(-1.0, cosine))))
