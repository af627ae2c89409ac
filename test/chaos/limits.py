"""Random motions, which must not violate any limit of the safety gate.

`scripts/chaos limits` runs a million steps each of the gate, of the player with the gate, and of the complete motion
controller. This takes 75 minutes of one core; `--steps` changes the number. Goals are interrupted at random moments,
layers are added and removed, the loop is on time, jitters or is late, and the measured posture lags or is blocked. A
monitor checks the guarantees of the gate from the commands alone: envelope, workspace, speed and acceleration.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np

from bench.report import Figure, print_report
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.player import Player
from reachy_agent_ros.motion.request import Library, Named, plan
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.coordinates import posture
from reachy_agent_ros.robot.gate import LONGEST_STEP, SafetyGate
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.robot.target_validation import Target

STEPS = 1_000_000
PERIOD = 0.01
_MOVES = (Named(Library.DANCE, "dizzy_spin"), Named(Library.EMOTION, "joy"), Named(Library.GESTURE, "nod"))


class Body:
    """Simulated robot that follows commands immediately, with a lag, or not at all while it is blocked."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator
        self._pose = BodyPose()
        self._lag = 0.0

    def measured(self) -> BodyPose:
        """Returns the current posture."""
        return self._pose

    def follow(self, command: BodyPose | None) -> None:
        """Moves to the commanded posture, unless the robot lags or is blocked."""
        if self._generator.random() < 0.002:
            self._lag = float(self._generator.choice([0.0, 0.5, 1.0]))
        if command is not None and self._generator.random() >= self._lag:
            self._pose = command


def main(as_json: bool, steps: int = STEPS, seed: int = 1) -> int:
    """Runs random motions and prints the figures. Returns exit code 1 if a limit was violated, else 0."""
    figures = []
    for name, run in (("gate", _gate), ("player", _player), ("controller", _controller)):
        watch = CommandWatch()
        watch.see(BodyPose(), PERIOD, stopped=False)  # the initial state of all three, at rest
        for command, dt, stopped in run(steps, np.random.default_rng(seed)):
            watch.see(command, dt, stopped)
        figures += [
            Figure(f"{name}: commands outside of the limits in {steps} steps", watch.violations, "", 0),
            Figure(f"{name}: accelerations beyond the limit", watch.jumps, "", 0),
            Figure(f"{name}: greatest acceleration", 100.0 * watch.acceleration, "%", 100.0),
        ]
    print_report("limits", figures, as_json)
    return int(not all(figure.holds for figure in figures))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `scripts/chaos limits`."""
    parser.add_argument("--steps", type=int, default=STEPS, help="of each of the three (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random generator (default: %(default)s)")


_Commands = Iterator[tuple[BodyPose | None, float, bool]]
"""Command, length of its period in s, and whether the emergency stop is active."""


def _gate(steps: int, generator: np.random.Generator) -> _Commands:
    gate, body = SafetyGate(), Body(generator)
    wishes = _wishes(generator)
    for dt in _periods(steps, generator):
        command = gate.step(next(wishes), body.measured(), dt)
        body.follow(command)
        yield command, dt, False


def _player(steps: int, generator: np.random.Generator) -> _Commands:
    gate, body, player, now = SafetyGate(), Body(generator), Player(Breath(pause=1.0)), 100.0
    for dt in _periods(steps, generator):
        now += dt
        _ask(player, gate, generator, now)
        player.expire(now)
        wanted, trimmed = player.wanted(gate.state, body.measured(), now)
        command = gate.step(trimmed, body.measured(), dt)
        player.observe(Measurement(now, body.measured(), {}), command, wanted, now)
        body.follow(command)
        yield command, dt, False


def _controller(steps: int, generator: np.random.Generator) -> _Commands:
    controller, body, now = MotionController(Breath(pause=1.0)), Body(generator), 100.0
    stopped = False
    for dt in _periods(steps, generator):
        now += dt
        chance = generator.random()
        if chance < 0.0005:
            controller.stop("random")
        elif chance < 0.003:
            controller.release()
        elif chance < 0.004:
            controller.hold()
        elif chance < 0.014:
            _quietly(lambda: controller.execute(_wish(generator), "random", _ignore))
        elif chance < 0.3:
            controller.stream(Target(posture(_coordinates(generator)).head), "random", now)
        elif chance < 0.4:
            controller.offset(int(generator.choice(list(OffsetSource))), _offset(generator), now, controller.last_stop)
        stopped = controller.gate.stop_reason is not None
        sample = Measurement(now, body.measured(), {})
        command = controller.cycle(sample, now, dt)
        body.follow(command)
        yield command, dt, stopped


def _ask(player: Player, gate: SafetyGate, generator: np.random.Generator, now: float) -> None:
    chance = generator.random()
    if chance < 0.01:
        wish = _wish(generator)
        _quietly(lambda: player.play(Playback("random", plan(wish, 0.0, gate, player.course.posture), _ignore)))
    elif chance < 0.012:
        player.hold(AgentError(ErrorCode.CANCELED, "random"))
    elif chance < 0.05:
        _quietly(
            lambda: player.offset(int(generator.choice(list(OffsetSource))), _offset(generator), now, player.last_stop)
        )


def _wishes(generator: np.random.Generator) -> Iterator[BodyPose | None]:
    while True:
        kind = generator.random()
        wish = None if kind < 0.1 else posture(_coordinates(generator, extreme=kind > 0.5))
        for _ in range(generator.integers(1, 60)):
            yield wish


def _periods(steps: int, generator: np.random.Generator) -> Iterator[float]:
    """Yields durations (s) of loop periods: constant, with jitter, or with occasional delays."""
    done = 0
    while done < steps:
        kind = generator.integers(3)
        for _ in range(min(int(generator.integers(100, 1000)), steps - done)):
            done += 1
            late = kind == 2 and generator.random() < 0.05
            spread = 0.0 if kind == 0 else generator.uniform(-0.9, 0.9)
            yield float(generator.uniform(PERIOD, 2.0 * LONGEST_STEP)) if late else PERIOD * (1.0 + spread)


def _coordinates(generator: np.random.Generator, extreme: bool = False) -> Vector:
    if extreme:
        return np.where(generator.random(9) < 0.5, LOW, HIGH) * generator.uniform(0.5, 1.2)
    return np.asarray(generator.uniform(1.1 * LOW, 1.1 * HIGH))


def _wish(generator: np.random.Generator) -> Target | Named:
    if generator.random() < 0.3:
        return _MOVES[generator.integers(len(_MOVES))]
    pose = posture(_coordinates(generator) * generator.choice([0.3, 0.6, 1.0]))
    return Target(pose.head, (pose.antenna_right, pose.antenna_left), pose.body_yaw)


def _offset(generator: np.random.Generator) -> Offset:
    return Offset(
        generator.normal(0.0, 0.01, 3), generator.normal(0.0, 0.2, 3), *generator.normal(0.0, 0.5, 2).tolist()
    )


def _quietly(action: Callable[[], object]) -> None:
    try:
        action()
    except AgentError:
        return


def _ignore(_error: AgentError | None) -> None:
    """Ignores the result of a motion."""
