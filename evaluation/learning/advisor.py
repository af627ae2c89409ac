"""Tool advisor: whether off-policy learning improves suggestions, and whether this is known before deployment.

Run `scripts/evaluate advisor`. It takes some minutes. In the simulation, as in the task `tool_choice`, a model that
does not know how often a tool fails follows suggestions with a fixed probability. The true value of any suggestion is
known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bench.report import Figure, percentile, print_report
from evaluation.learning.advised_agent import AdvisedAgent
from reachy_agent_ros.learning.advisor.advice_policy import SILENT
from reachy_agent_ros.learning.advisor.off_policy import evaluated, evidence, learned
from reachy_agent_ros.learning.advisor.training import MATCHED, LoggedChoices, cross_validated

EXPLORATION = 0.2
"""Exploration in the log used for learning: four times the default of the robot."""

SEEDS = 20
COVERED = 200
"""Number of logs for measuring the coverage of the confidence intervals."""


class Outcome(NamedTuple):
    """Result for one log: the true gain of the learned policy, and whether it was activated."""

    gain: float
    on: bool


def main(as_json: bool) -> int:
    """Measures and prints all figures. Always returns exit code 0."""
    print_report("advisor", list(figures()), as_json)
    return 0


def figures() -> Iterator[Figure]:
    """Measures the gain for two log sizes, the wrong deployments, and the coverage of the confidence intervals."""
    for count in (500, 2000):
        outcomes = [outcome(seed, count, compliance=0.7) for seed in range(SEEDS)]
        name = f"{count} judged choices:"
        gains = [one.gain for one in outcomes]
        bar = 0.0 if count == 2000 else None
        yield Figure(f"{name} true gain in rating, median", percentile(gains, 50), "", bar, at_least=True)
        yield Figure(f"{name} true gain in rating, p10", percentile(gains, 10), "", bar, at_least=True)
        yield Figure(f"{name} switched on", share(one.on for one in outcomes), "%")
        yield Figure(f"{name} on though worse", share(one.on and one.gain < 0.0 for one in outcomes), "%", 5.0)
    deaf = [outcome(seed, 500, compliance=0.0) for seed in range(SEEDS)]
    yield Figure("a model that hears no advice: on by mistake", share(one.on for one in deaf), "%", 5.0)
    covered = coverage()
    for name, values in covered.items():
        yield Figure(f"{name}: 95 % interval holds the true value", share(values), "%", 90.0, at_least=True)


def outcome(seed: int, count: int, compliance: float) -> Outcome:
    """Learns from one log that was recorded without suggestions, except for those of the exploration."""
    world = AdvisedAgent(seed, compliance)
    choices, ratings = world.logged(count, SILENT, EXPLORATION)
    evaluation = cross_validated(LoggedChoices(choices, ratings, 0, 0), SILENT, seed)
    silent, taught = world.value([SILENT, learned(choices, ratings)[0]], 2000)
    return Outcome(taught - silent, evaluation.matched >= MATCHED and evaluation.gain.low > 0.0)


def coverage() -> dict[str, list[bool]]:
    """Returns for many logs whether the confidence interval contains the true value of a policy from another log."""
    world = AdvisedAgent(1000)
    policy, model = learned(*world.logged(2000, SILENT, EXPLORATION))
    truth, silent = world.value([policy, SILENT], 20_000)
    held: dict[str, list[bool]] = {"IPS": [], "SNIPS": [], "doubly robust": [], "gain": []}
    for seed in range(COVERED):
        rows = evidence(policy, SILENT, *world.logged(500, SILENT, EXPLORATION), model)
        found = evaluated(rows, np.random.default_rng(seed))
        values = (found.ips, truth), (found.snips, truth), (found.doubly_robust, truth), (found.gain, truth - silent)
        for name, (estimate, true) in zip(held, values, strict=True):
            held[name].append(estimate.low <= true <= estimate.high)
    return held


def share(values: Iterator[bool] | list[bool]) -> float:
    """Returns the percentage of values that are true."""
    return 100.0 * float(np.mean(list(values)))
