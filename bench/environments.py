"""Learning environments: steps per second, compared with the physics simulation alone, and CPU time of a reset.

Run `reachy-agent bench environments`. It takes 30 s; `--full` changes nothing. The environment and `mj_step` alone,
with the same motions of the same model, alternate in one run, so that other work on the machine slows down both.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence

import numpy as np

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.learning.environments.conformance import Wild
from reachy_agent_ros.learning.environments.registry import Environment, make
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.mujoco_simulation import Simulation
from reachy_agent_ros.simulation.dynamics import PERIOD
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics

ROUNDS = 15
STEPS = 100  # of a policy in a round: 5 s of physics
KINEMATIC_STEPS = 20_000
LEAST_SHARE = 80.0  # %
LEAST_STEPS = 25_000.0


class Commands(CommandWatch):
    """Monitor that records every command as joint positions."""

    def __init__(self) -> None:
        super().__init__()
        self.joints: list[Vector] = []
        self._inverse = BodyKinematics().inverse

    def see(self, command: BodyPose | None, dt: float, stopped: bool) -> None:
        """Records the command of one control period."""
        if command is not None:
            self.joints.append(self._inverse(command))


def main(as_json: bool, full: bool = False) -> int:
    """Measures all environments. Always returns exit code 0."""
    del full  # there is no long form
    print_report("environments", [*physics_rates(), *kinematic_rates()], as_json)
    return 0


def physics_rates() -> Iterator[Figure]:
    """Measures physics steps per second with a learning environment and with the physics simulation alone."""
    body = MujocoDynamics()
    environment = make("track_moving_target", body=body)
    actions = _actions(environment)
    commands = body.watch = Commands()
    _rate(environment, actions, STEPS)
    body.watch = None
    alone = Simulation("empty", BodyKinematics().inverse(BodyPose()))
    substeps = round(PERIOD / alone.timestep)
    raws, shares, resets = [], [], []
    for _ in range(ROUNDS):
        raw = _raw_rate(alone, commands.joints, substeps)
        raws.append(raw)
        shares.append(100.0 * _rate(environment, actions, STEPS) * substeps / raw)
        started = time.process_time()
        environment.reset()
        resets.append(1e3 * (time.process_time() - started))
    yield Figure("physics: mj_step alone, median", statistics.median(raws), "/s")
    share = statistics.median(shares)
    yield Figure("physics: mj_step in the environment, of that, median", share, "%", LEAST_SHARE, at_least=True)
    yield Figure("physics: mj_step in the environment, of that, p10", percentile(shares, 10), "%")
    yield Figure("physics: CPU of a reset, median", statistics.median(resets), "ms")


def kinematic_rates() -> Iterator[Figure]:
    """Measures steps per second of the kinematic environments."""
    for name in ("look_at", "nod", "look_behind", "antenna_gesture"):
        environment = make(name)
        rates = [_rate(environment, _actions(environment), KINEMATIC_STEPS) for _ in range(5)]
        name = f"kinematic: steps of {name}, resets included, median"
        yield Figure(name, statistics.median(rates), "/s", LEAST_STEPS, at_least=True)


def _raw_rate(simulation: Simulation, joints: Sequence[Vector], substeps: int) -> float:
    """Returns the number of `mj_step` calls per second on one core."""
    simulation.rewind()
    started = time.process_time()
    for targets in joints:
        simulation.set_targets(targets)
        simulation.step(substeps)
    return len(joints) * substeps / (time.process_time() - started)


def _rate(environment: Environment, actions: Sequence[Entries], steps: int) -> float:
    """Returns the number of policy steps per second on one core, including resets at the end of episodes."""
    environment.reset(seed=0)
    started = time.process_time()
    for number in range(steps):
        *_, terminated, truncated, _ = environment.step(actions[number % len(actions)])
        if terminated or truncated:
            environment.reset()
    return steps / (time.process_time() - started)


def _actions(environment: Environment) -> list[Entries]:
    """Returns small random actions, computed in advance so that their computation is not measured."""
    wild = Wild(environment, 0)
    return [0.3 * wild.action(np.zeros(1, np.float32)) for _ in range(256)]
