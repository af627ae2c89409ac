"""Quality and speed of policy learning in tasks with many steps, and the skill lost during refinement.

Run `scripts/evaluate policy_training`. It takes half an hour on one core. `--only look_at nod` measures only these
tasks.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.learning.environments.registry import TASKS
from reachy_agent_ros.learning.environments.specification import Split
from reachy_agent_ros.learning.training.actor import Actor
from reachy_agent_ros.learning.training.configuration import Algorithm, TrainingConfiguration
from reachy_agent_ros.learning.training.run import judge, train

LONG = [name for name, task in TASKS.items() if task.length > 1]
SEEDS = range(5)
JUDGED = 50
SUCCESS = 95.0  # %
RETAINED = 90.0  # % of the cloned policy's success
UNSAFE = 1.0  # % of the actions proposed
DEMONSTRATED, SCRATCH = 100, 300  # episodes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option that selects the tasks."""
    parser.add_argument("--only", nargs="+", choices=LONG, default=LONG)


def main(as_json: bool, only: Sequence[str] = tuple(LONG)) -> int:
    """Trains and evaluates policies. Always returns exit code 0."""
    print_report("policy_training", list(figures(only)), as_json)
    return 0


def figures(tasks: Sequence[str]) -> Iterator[Figure]:
    """Measures all figures of the given tasks."""
    demonstrated, scratch = [], []
    for task in tasks:
        demonstrated += list(_demonstrated(task))
        scratch += list(_scratch(task))
    yield from demonstrated
    yield from scratch


def _demonstrated(task: str) -> Iterator[Figure]:
    """Measures behavioral cloning from 10 demonstrations, followed by PPO."""
    began = time.process_time()
    last, least, other, unsafe = [], [], [], []
    for seed in SEEDS:
        configuration = TrainingConfiguration(
            task, Algorithm.POLICY_GRADIENT, seed, DEMONSTRATED, 10, device="cpu", judged=JUDGED
        )
        outcome = train(configuration)
        judged = outcome.judgments
        last.append(100.0 * judged[-1])
        least.append(100.0 * min(judged) / judged[0] if judged[0] else 0.0)
        elsewhere = judge(configuration, Actor(outcome.weights), Split.TEST)
        other.append(100.0 * elsewhere["success"])
        unsafe += [100.0 * outcome.curve[-1].figures["cost"], 100.0 * elsewhere["cost"]]
    name = f"{task}, 10 shown, {DEMONSTRATED} episodes"
    yield from _both(f"{name}: success", last, SUCCESS)
    yield Figure(f"{name}: least of the clone's success, all seeds", min(least), "%", RETAINED, at_least=True)
    yield from _both(f"{name}: success, test ranges", other, None)
    yield Figure(f"{name}: unsafe actions proposed, all seeds", statistics.mean(unsafe), "%", UNSAFE)
    yield Figure(f"{name}: CPU of a run, mean", (time.process_time() - began) / len(SEEDS), "s")


def _scratch(task: str) -> Iterator[Figure]:
    """Measures PPO that uses only the dense reward."""
    last = [
        100.0
        * train(
            TrainingConfiguration(
                task, Algorithm.POLICY_GRADIENT, seed, SCRATCH, 0, device="cpu", judge_every=SCRATCH, judged=JUDGED
            )
        ).judgments[-1]
        for seed in SEEDS
    ]
    yield from _both(f"{task}, from scratch, {SCRATCH} episodes: success", last, SUCCESS)


def _both(name: str, values: Sequence[float], bar: float | None) -> Iterator[Figure]:
    yield Figure(f"{name}, median", percentile(values, 50), "%", bar, at_least=True)
    yield Figure(f"{name}, p10", percentile(values, 10), "%", bar, at_least=True)
