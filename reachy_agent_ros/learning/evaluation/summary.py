"""What was measured of a policy in one place, and over all places of a kind."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from reachy_agent_ros.learning.environments.parameter import Split
from reachy_agent_ros.learning.estimate import Estimate
from reachy_agent_ros.learning.evaluation.estimate import mean, share, tenth
from reachy_agent_ros.learning.evaluation.evaluation import Played
from reachy_agent_ros.learning.evaluation.trial import ALL_TASKS, Setting

_LEAST_EFFORT = 1e-6


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
