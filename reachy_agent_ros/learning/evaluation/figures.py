"""Numbers of an evaluation by name, for programs."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from reachy_agent_ros.learning.evaluation.evaluation import Played
from reachy_agent_ros.learning.evaluation.summary import Summary, summary


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
