"""Success of every learning algorithm before and after training.

Each algorithm can learn the task within one minute.

Run `scripts/evaluate algorithms`. It takes ten minutes on one core. `--only gail sac` measures only these algorithms.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence

import numpy as np

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.learning.environments.registry import TASKS
from reachy_agent_ros.learning.training.actor import Actor, Weights
from reachy_agent_ros.learning.training.configuration import NEEDS_DEMONSTRATIONS, Algorithm, TrainingConfiguration
from reachy_agent_ros.learning.training.learner import People
from reachy_agent_ros.learning.training.preference import Fragment
from reachy_agent_ros.learning.training.run import TrainingOutcome, train

EPISODES = {
    Algorithm.CLONING: 300,
    Algorithm.AGGREGATION: 40,
    Algorithm.ADVERSARIAL: 400,
    Algorithm.PREFERENCE: 400,
    Algorithm.POLICY_GRADIENT: 300,
    Algorithm.SOFT_ACTOR_CRITIC: 200,
}
"""Number of episodes by algorithm; for cloning, number of passes. PPO has no demonstrations here; `policy_training.py`
measures it with demonstrations."""

TASK = "look_at"
SEEDS = range(5)
DEMONSTRATED = 10
JUDGED = 50
SUCCESS = 95.0  # %
STEP = 5.0  # ms
_MISTAKEN = 0.1  # share of answers


class Onlooker:
    """Simulated person who prefers the fragment with the smaller error, but answers randomly one time in ten.

    Args:
        channels: Number of channels of the task.
        seed: Random seed.
    """

    def __init__(self, channels: int, seed: int) -> None:
        self._errors = slice(2 * channels, 3 * channels)
        self._generator = np.random.default_rng(seed)

    def __call__(self, first: Fragment, second: Fragment) -> float:
        """Returns 1 if the person prefers the first fragment, and 0 if the person prefers the second."""
        if self._generator.random() < _MISTAKEN:
            return float(self._generator.integers(2))
        a, b = (float(np.abs(each.observations[:, self._errors]).max(axis=1).sum()) for each in (first, second))
        return float(a < b)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option that selects the algorithms."""
    parser.add_argument("--only", nargs="+", type=Algorithm, choices=list(EPISODES), default=list(EPISODES))


def main(as_json: bool, only: Sequence[Algorithm] = tuple(EPISODES)) -> int:
    """Trains and evaluates the algorithms. Always returns exit code 0."""
    print_report("algorithms", list(figures(only)), as_json)
    return 0


def figures(algorithms: Sequence[Algorithm]) -> Iterator[Figure]:
    """Measures all figures of the given algorithms."""
    weights: Weights = {}
    for algorithm in algorithms:
        began = time.process_time()
        outcomes = [_trained(algorithm, seed) for seed in SEEDS]
        spent = (time.process_time() - began) / len(outcomes)
        name = f"{algorithm}, {EPISODES[algorithm]} {'passes' if algorithm is Algorithm.CLONING else 'episodes'}"
        first, last = ([100.0 * each.judgments[place] for each in outcomes] for place in (0, -1))
        yield Figure(f"{name}: success before, median", percentile(first, 50), "%")
        yield Figure(f"{name}: success, median", percentile(last, 50), "%", SUCCESS, at_least=True)
        yield Figure(f"{name}: success, p10", percentile(last, 10), "%", SUCCESS, at_least=True)
        yield Figure(f"{name}: CPU of a run, mean", spent, "s")
        weights = outcomes[0].weights
    yield Figure("a step of a policy, p95", percentile(_steps(weights), 95), "ms", STEP)


def _trained(algorithm: Algorithm, seed: int) -> TrainingOutcome:
    episodes = EPISODES[algorithm]
    shown = DEMONSTRATED if algorithm in NEEDS_DEMONSTRATIONS else 0
    configuration = TrainingConfiguration(
        TASK, algorithm, seed, episodes, shown, device="cpu", judge_every=episodes, judged=JUDGED
    )
    return train(configuration, people=People(comparer=Onlooker(len(TASKS[TASK].action), seed)))


def _steps(weights: Weights) -> list[float]:
    """Measures the times (ms) from an observation to the action of a policy."""
    actor, observation, found = Actor(weights), np.zeros(len(TASKS[TASK].observation), np.float32), []
    for _ in range(1000):
        began = time.perf_counter()
        actor.action(observation)
        found.append(1000.0 * (time.perf_counter() - began))
    return found
