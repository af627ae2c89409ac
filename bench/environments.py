"""Environments: what a step costs beside physics alone, and how well the scripted experts do.

`reachy-agent bench environments`, two minutes. Rates of the environment and of `mj_step` alone, with the same
motions of the same model, are taken in turns in one run, so that other work on the machine slows both.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence

import numpy as np

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.learning.environments.channel import PERIOD
from reachy_agent_ros.learning.environments.conformance import Episode, Wild, play
from reachy_agent_ros.learning.environments.parameter import Split
from reachy_agent_ros.learning.environments.physics_body import PhysicsBody
from reachy_agent_ros.learning.environments.registry import NOVEL_TASKS, TASKS, Environment, expert_for, make
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.variation import USUAL
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.simulation import Simulation

ALL = {**TASKS, **NOVEL_TASKS}
MOVING = [name for name in ALL if name not in ("style", "tool_choice")]
ROUNDS = 15
STEPS = 100  # of a policy, a round: 5 s of physics
KINEMATIC_STEPS = 20_000
SEEDS = 100
PHYSICS_SEEDS = 10
LEAST_SHARE = 80.0  # %
LEAST_STEPS = 25_000.0


class Commands(CommandWatch):
    """Keeps every command as joints."""

    def __init__(self) -> None:
        super().__init__()
        self.joints: list[Vector] = []
        self._inverse = BodyKinematics().inverse

    def see(self, command: BodyPose | None, dt: float, stopped: bool) -> None:
        """Takes the command of one period."""
        if command is not None:
            self.joints.append(self._inverse(command))


def main(as_json: bool) -> int:
    """Measures. Returns 0 whatever the figures say."""
    print_report("environments", list(figures()), as_json)
    return 0


def figures() -> Iterator[Figure]:
    """Every figure of the environments."""
    body = PhysicsBody()
    yield from physics_rates(body)
    yield from kinematic_rates()
    body.watch = CommandWatch()
    yield from physics_experts(body)
    yield from kinematic_experts()


def physics_rates(body: PhysicsBody) -> Iterator[Figure]:
    """Steps of physics a second in the environment, beside those of the same physics alone."""
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
    """Steps a second of the arithmetic."""
    for name in ("look_at", "nod", "look_behind", "antenna_gesture"):
        environment = make(name)
        rates = [_rate(environment, _actions(environment), KINEMATIC_STEPS) for _ in range(5)]
        name = f"kinematic: steps of {name}, resets included, median"
        yield Figure(name, statistics.median(rates), "/s", LEAST_STEPS, at_least=True)


def physics_experts(body: PhysicsBody) -> Iterator[Figure]:
    """What the experts do with the simulated robot, and what reaches its motors."""
    costs = []
    for name in MOVING:
        for split in Split:
            episodes = _episodes(make(name, split=split, body=body), name, PHYSICS_SEEDS)
            costs += [episode.cost for episode in episodes]
            yield _success(f"physics: expert, {name}, {split} range", episodes)
    yield Figure("physics: cost of the experts, all episodes", sum(costs), "", 0.0)
    wild = [
        play(environment, Wild(environment, seed), seed, ALL[name].length)
        for name in MOVING
        for environment in [make(name, body=body)]
        for seed in range(2)
    ]
    proposed = 100.0 * sum(episode.cost for episode in wild) / sum(len(episode.rewards) for episode in wild)
    yield Figure("physics: unsafe actions that a random policy proposes", proposed, "%")
    assert body.watch is not None
    yield Figure("physics: commands outside the envelope, all policies", body.watch.violations, "", 0.0)
    yield Figure("physics: jumps of the velocity, all policies", body.watch.jumps, "", 0.0)


def kinematic_experts() -> Iterator[Figure]:
    """What the experts do in arithmetic, over many seeds and over robots that differ."""
    successes, costs, varied = [], [], []
    for name in ALL:
        for split in Split:
            episodes = _episodes(make(name, split=split), name, SEEDS)
            successes.append(_share(episodes))
            costs.append(sum(episode.cost for episode in episodes))
        if name in MOVING:
            varied.append(_share(_episodes(make(name, randomisation=USUAL), name, SEEDS)))
    for label, shares in (("", successes), (", robots that differ", varied)):
        yield Figure(f"kinematic: expert's success{label}, median of tasks", statistics.median(shares), "%")
        yield Figure(f"kinematic: expert's success{label}, p10 of tasks", percentile(shares, 10), "%")
    yield Figure("kinematic: cost of the experts, all episodes", sum(costs), "", 0.0)


def _success(name: str, episodes: Sequence[Episode]) -> Figure:
    return Figure(name, _share(episodes), "%", 100.0, at_least=True)


def _share(episodes: Sequence[Episode]) -> float:
    return 100.0 * statistics.mean(episode.success for episode in episodes)


def _episodes(environment: Environment, name: str, seeds: int) -> list[Episode]:
    expert, length = expert_for(name), ALL[name].length
    return [play(environment, expert, seed, length) for seed in range(seeds)]


def _raw_rate(simulation: Simulation, joints: Sequence[Vector], substeps: int) -> float:
    """`mj_step` a second of one core."""
    simulation.rewind()
    started = time.process_time()
    for targets in joints:
        simulation.set_targets(targets)
        simulation.step(substeps)
    return len(joints) * substeps / (time.process_time() - started)


def _rate(environment: Environment, actions: Sequence[Entries], steps: int) -> float:
    """Steps of a policy a second of one core, resets at the end of episodes included."""
    environment.reset(seed=0)
    started = time.process_time()
    for number in range(steps):
        *_, terminated, truncated, _ = environment.step(actions[number % len(actions)])
        if terminated or truncated:
            environment.reset()
    return steps / (time.process_time() - started)


def _actions(environment: Environment) -> list[Entries]:
    """Small ones at random, so that their computation is not measured."""
    wild = Wild(environment, 0)
    return [0.3 * wild.action(np.zeros(1, np.float32)) for _ in range(256)]
