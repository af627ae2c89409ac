"""Success of the scripted experts in every learning environment, and safety of their commands.

Run `scripts/evaluate experts`. It takes two minutes.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.learning.environments.conformance import ConformanceEpisode, Wild, play
from reachy_agent_ros.learning.environments.randomization import USUAL
from reachy_agent_ros.learning.environments.registry import NOVEL_TASKS, TASKS, Environment, expert_for, make
from reachy_agent_ros.learning.environments.specification import Split
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics

ALL = {**TASKS, **NOVEL_TASKS}
MOVING = [name for name in ALL if name not in ("style", "tool_choice")]
SEEDS = 100
PHYSICS_SEEDS = 10


def main(as_json: bool) -> int:
    """Measures all experts. Always returns exit code 0."""
    print_report("experts", [*physics_experts(), *kinematic_experts()], as_json)
    return 0


def physics_experts() -> Iterator[Figure]:
    """Measures the success of the experts with the simulated robot, and checks the commands that reach its motors."""
    body = MujocoDynamics()
    watch = body.watch = CommandWatch()
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
    yield Figure("physics: commands outside the envelope, all policies", watch.violations, "", 0.0)
    yield Figure("physics: jumps of the velocity, all policies", watch.jumps, "", 0.0)


def kinematic_experts() -> Iterator[Figure]:
    """Measures the success of the experts in the kinematic environments, over many seeds and varied robots."""
    successes, costs, varied = [], [], []
    for name in ALL:
        for split in Split:
            episodes = _episodes(make(name, split=split), name, SEEDS)
            successes.append(_share(episodes))
            costs.append(sum(episode.cost for episode in episodes))
        if name in MOVING:
            varied.append(_share(_episodes(make(name, randomization=USUAL), name, SEEDS)))
    for label, shares in (("", successes), (", robots that differ", varied)):
        yield Figure(f"kinematic: expert's success{label}, median of tasks", statistics.median(shares), "%")
        yield Figure(f"kinematic: expert's success{label}, p10 of tasks", percentile(shares, 10), "%")
    yield Figure("kinematic: cost of the experts, all episodes", sum(costs), "", 0.0)


def _success(name: str, episodes: Sequence[ConformanceEpisode]) -> Figure:
    return Figure(name, _share(episodes), "%", 100.0, at_least=True)


def _share(episodes: Sequence[ConformanceEpisode]) -> float:
    return 100.0 * statistics.mean(episode.success for episode in episodes)


def _episodes(environment: Environment, name: str, seeds: int) -> list[ConformanceEpisode]:
    expert, length = expert_for(name), ALL[name].length
    return [play(environment, expert, seed, length) for seed in range(seeds)]
