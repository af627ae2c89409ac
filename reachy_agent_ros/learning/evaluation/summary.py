"""Summary of an evaluation: success, efficiency and safety with confidence intervals, and all figures by name."""

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
"""Standard deviations of a normal distribution within which 95 % of it lie."""

_RESAMPLES = 2000


@dataclass(frozen=True)
class Summary:
    """One policy in one place.

    Attributes:
        policy: Its name.
        setting: The place.
        episodes: Played.
        success: Share of them, 0..1, with Wilson's interval.
        error: Degrees, mean of the steps of an episode; bootstrapped, as are the next three.
        reward: Mean of a step.
        time: Arrival of the expert as a share of its own, in the episodes in which it succeeded: 1 is as soon. None
            where there is none, or nothing moves.
        effort: Likewise of what it takes to move so.
        slowest: 10th percentile of `time` over the episodes.
        unsafe: Share of the actions that led out of the envelope, with Wilson's interval.
        executed: Commands outside the envelope that reached the motors; None in arithmetic.
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
        """What it tells of: training ranges, test ranges, or a task that is held out."""
        if ALL_TASKS[self.setting.task].novel:
            return "held out"
        return "test ranges" if self.setting.split is Split.TEST else "training ranges"


def summary(played: Played) -> Summary:
    """Of what was played in one place."""
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
    """One policy in all places of a kind: figures for people who read only one line.

    Attributes:
        success: Share of all episodes, with Wilson's interval.
        worst: 10th percentile of the success over the places, 0..1.
        tasks: How many.
    """

    success: Estimate
    worst: float
    tasks: int


def overview(summaries: Iterable[Summary]) -> Overview | None:
    """Of all these; None where there are none."""
    found = list(summaries)
    if not found:
        return None
    successes = sum(round(each.success.value * each.episodes) for each in found)
    worst = tenth([each.success.value for each in found])
    return Overview(share(successes, sum(each.episodes for each in found)), worst, len({s.setting.task for s in found}))


def figures(played: Sequence[Played]) -> dict[str, float]:
    """Every figure, named as in "nod@3/nod/test/success"; shares from 0 to 1, `_low` and `_high` of 95 % confidence."""
    return dict(pair for each in played for pair in _figures(summary(each)))


def headline(played: Sequence[Played]) -> dict[str, float]:
    """`episodes`, `success_rate` and `mean_reward` (a step, -1..1) of the policy that was named first."""
    trials = [trial for each in played if each.policy == played[0].policy for trial in each.trials]
    return {
        "episodes": len(trials),
        "success_rate": statistics.fmean(trial.success for trial in trials),
        "mean_reward": max(-1.0, min(1.0, statistics.fmean(trial.reward for trial in trials))),
    }


def share(successes: int, count: int) -> Estimate:
    """A share with Wilson's interval (1927), which stays within 0..1 and is no point where all succeed.

    Args:
        successes: From 0 to `count`.
        count: At least 1.
    """
    found, z2 = successes / count, _Z * _Z / count
    middle = (found + z2 / 2.0) / (1.0 + z2)
    half = _Z / (1.0 + z2) * math.sqrt(found * (1.0 - found) / count + z2 / (4.0 * count))
    return Estimate(found, max(0.0, min(middle - half, found)), min(1.0, max(middle + half, found)))


def mean(values: Sequence[float]) -> Estimate:
    """A mean with the interval of a percentile bootstrap (Efron 1979), the same for the same values.

    Args:
        values: At least one.
    """
    found, generator = np.array(values), np.random.default_rng(0)
    resampled = generator.choice(found, (_RESAMPLES, len(found))).mean(axis=1)
    low, high = np.percentile(resampled, (2.5, 97.5)).tolist()
    return Estimate(float(found.mean()), low, high)


def tenth(values: Sequence[float]) -> float:
    """10th percentile of at least one value, by nearest rank."""
    return sorted(values)[math.ceil(0.1 * len(values)) - 1]


def _figures(found: Summary) -> Iterator[tuple[str, float]]:
    setting = found.setting
    place = f"{found.policy}/{setting.task}/{setting.split}{'_physics' if setting.physics else ''}"
    estimates = {
        "success": found.success,
        "error_deg": found.error,
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
