"""Summary of an evaluation, with success, efficiency and safety and their confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.learning.environments.specification import Split
from reachy_agent_ros.learning.estimate import Estimate
from reachy_agent_ros.learning.evaluation.evaluation import ALL_TASKS, Played, Setting

_LEAST_EFFORT = 1e-6

_Z = 1.959964
"""Two-sided 95 % quantile of the standard normal distribution."""

_RESAMPLES = 2000


@dataclass(frozen=True)
class Summary:
    """Summary of the success, efficiency and safety of one policy in one setting.

    Attributes:
        policy: Name of the policy.
        setting: The setting.
        episodes: Number of episodes.
        success: Share of successful episodes, 0..1, with Wilson's interval.
        error: Mean error per step, degrees. Its interval is bootstrapped, like those of the next three figures.
        reward: Mean reward per step.
        time: Arrival time of the expert divided by that of the policy, averaged over the episodes in which the policy
            succeeded and both arrived. None if there are no such episodes, or if nothing moves in the task.
        effort: Effort of the expert divided by that of the policy, averaged over the episodes in which the policy
            succeeded and moved. None as for `time`.
        slowest: 10th percentile of `time` over the episodes.
        unsafe: Share of unsafe actions (see `Trial.unsafe`), with Wilson's interval.
        executed: Number of executed commands outside the envelope or with an abrupt change of speed; None without
            physics.
    """

    policy: str
    setting: Setting
    episodes: int
    success: Estimate
    error: Estimate
    reward: Estimate
    time: Estimate | None
    effort: Estimate | None
    slowest: float | None
    unsafe: Estimate
    executed: int | None

    @property
    def kind(self) -> str:
        """Kind of the setting: training ranges, test ranges, or held-out task."""
        if ALL_TASKS[self.setting.task].novel:
            return "held out"
        return "test ranges" if self.setting.split is Split.TEST else "training ranges"


def summary(played: Played) -> Summary:
    """Summarizes the results in one setting."""
    trials = played.trials
    moving = ALL_TASKS[played.setting.task].length > 1
    pairs = list(zip(trials, played.expert, strict=True)) if moving else []
    pairs = [(own, ideal) for own, ideal in pairs if own.success]
    times = [ideal.arrival / own.arrival for own, ideal in pairs if own.arrival and ideal.arrival]
    efforts = [ideal.effort / own.effort for own, ideal in pairs if own.effort > _LEAST_EFFORT]
    return Summary(
        played.policy,
        played.setting,
        len(trials),
        share(sum(each.success for each in trials), len(trials)),
        mean([math.degrees(statistics.fmean(each.errors)) for each in trials]),
        mean([each.reward for each in trials]),
        mean(times) if times else None,
        mean(efforts) if efforts else None,
        tenth(times) if times else None,
        share(sum(each.unsafe for each in trials), sum(len(each.errors) for each in trials)),
        played.executed,
    )


@dataclass(frozen=True)
class Overview:
    """Success of one policy over all settings of one kind.

    Attributes:
        success: Share of successful episodes, with Wilson's interval.
        worst: 10th percentile of the success over the settings, 0..1.
        tasks: Number of tasks.
    """

    success: Estimate
    worst: float
    tasks: int


def overview(summaries: Iterable[Summary]) -> Overview | None:
    """Combines summaries of several settings. Returns None if the list is empty."""
    found = list(summaries)
    if not found:
        return None
    successes = sum(round(each.success.value * each.episodes) for each in found)
    worst = tenth([each.success.value for each in found])
    return Overview(share(successes, sum(each.episodes for each in found)), worst, len({s.setting.task for s in found}))


def figures(played: Sequence[Played]) -> dict[str, float]:
    """Returns all figures by name, for example "nod@3/nod/test/success".

    Shares are 0..1. The suffixes `_low` and `_high` denote the bounds of the 95 % confidence interval.
    """
    return dict(pair for each in played for pair in _figures(summary(each)))


def headline(played: Sequence[Played]) -> dict[str, float]:
    """Returns the main figures of the first policy: `episodes`, `success_rate` and `mean_reward`.

    The mean reward is per step and clipped to -1..1.
    """
    trials = [trial for each in played if each.policy == played[0].policy for trial in each.trials]
    return {
        "episodes": len(trials),
        "success_rate": statistics.fmean(trial.success for trial in trials),
        "mean_reward": max(-1.0, min(1.0, statistics.fmean(trial.reward for trial in trials))),
    }


def share(successes: int, count: int) -> Estimate:
    """Returns a success rate with its Wilson score interval (1927).

    The interval is within the range from 0 to 1 and never has zero width.

    Args:
        successes: Number of successes, 0 to `count`.
        count: Number of trials, at least 1.
    """
    found, z2 = successes / count, _Z * _Z / count
    middle = (found + z2 / 2.0) / (1.0 + z2)
    half = _Z / (1.0 + z2) * math.sqrt(found * (1.0 - found) / count + z2 / (4.0 * count))
    return Estimate(found, max(0.0, min(middle - half, found)), min(1.0, max(middle + half, found)))


def mean(values: Sequence[float]) -> Estimate:
    """Returns the mean with a percentile bootstrap interval (Efron, 1979). The bootstrap has a fixed seed.

    Args:
        values: At least one value.
    """
    found, generator = np.array(values), np.random.default_rng(0)
    resampled = generator.choice(found, (_RESAMPLES, len(found))).mean(axis=1)
    low, high = np.percentile(resampled, (2.5, 97.5)).tolist()
    return Estimate(float(found.mean()), low, high)


def tenth(values: Sequence[float]) -> float:
    """Returns the 10th percentile by the nearest-rank method. Needs at least one value."""
    return sorted(values)[math.ceil(0.1 * len(values)) - 1]


def _figures(found: Summary) -> Iterator[tuple[str, float]]:
    setting = found.setting
    place = f"{found.policy}/{setting.task}/{setting.split}{'_physics' if setting.physics else ''}"
    estimates = {
        "success": found.success,
        "error_deg": found.error,
        "reward": found.reward,
        "time_efficiency": found.time,
        "effort_efficiency": found.effort,
        "unsafe_proposed": found.unsafe,
    }
    for name, estimate in estimates.items():
        if estimate is not None:
            yield f"{place}/{name}", estimate.value
            yield f"{place}/{name}_low", estimate.low
            yield f"{place}/{name}_high", estimate.high
    if found.slowest is not None:
        yield f"{place}/time_efficiency_p10", found.slowest
    if found.executed is not None:
        yield f"{place}/unsafe_executed", float(found.executed)
