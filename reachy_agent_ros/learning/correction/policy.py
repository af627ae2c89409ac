"""Correction policy: how a skill is done, as people have taught it so far.

Its guard notices that the skill was taught worse, and goes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.correction.bandit import RewardRegression, varied
from reachy_agent_ros.learning.correction.coach import Belief, taught
from reachy_agent_ros.learning.correction.skills import Skill, Values
from reachy_agent_ros.learning.score import Axis, Score, Sign

WINDOW = 12
"""Ratings that are compared at a time."""

_STANDARD_ERRORS = 2.0

_DOUBT = 1.3
"""By how much a belief is spread when it is gone back to: it was the start of a bad way."""


class Choice(NamedTuple):
    """What a policy decided.

    Attributes:
        action: By parameter, SI units, within bounds.
        probability: Of that choice; 1 where it was certain.
    """

    action: dict[str, float]
    probability: float


@dataclass(frozen=True)
class Baseline:
    """The best that there was.

    Attributes:
        mean: Of the ratings.
        variance: Of that mean.
        belief: As it was then.
    """

    mean: float
    variance: float
    belief: Belief


@dataclass(frozen=True)
class Guard:
    """Compares every `WINDOW` ratings with the best before them.

    Attributes:
        recent: Ratings since the last comparison.
        baseline: None until there was one.
    """

    recent: tuple[float, ...] = ()
    baseline: Baseline | None = None

    def after(self, rating: float, belief: Belief) -> tuple[Guard, Belief, bool]:
        """With one more rating.

        Args:
            rating: -1..1, of an act.
            belief: After the lesson of that rating.

        Returns:
            The guard, the belief to go on with, and whether that is one from before, because the mean of the ratings
            fell below the baseline by more than two standard errors of the difference.
        """
        recent = (*self.recent, rating)
        if len(recent) < WINDOW:
            return Guard(recent, self.baseline), belief, False
        mean, variance = float(np.mean(recent)), float(np.var(recent, ddof=1)) / WINDOW
        best = self.baseline
        if best is None or mean >= best.mean:
            return Guard((), Baseline(mean, variance, belief)), belief, False
        if mean < best.mean - _STANDARD_ERRORS * float(np.sqrt(variance + best.variance)):
            return Guard((), best), best.belief.widened(_DOUBT), True
        return Guard((), best), belief, False


@dataclass(frozen=True)
class CorrectionPolicy:
    """One version. Methods give back what it becomes, and change nothing.

    Attributes:
        skill: What it is a policy of.
        version: Its number in the store; 0 before it is there.
        belief: What directions and praise have taught.
        rewards: How ratings depend on what was done.
        guard: How it is received of late.
        before: Version before the last correction, 0 where there was none: what "undo" goes back to.
    """

    skill: Skill
    version: int
    belief: Belief
    rewards: RewardRegression
    guard: Guard
    before: int = 0

    @classmethod
    def untaught(cls, skill: Skill) -> CorrectionPolicy:
        """One that does what is nominal."""
        size = len(skill.parameters), len(skill.features_of(dict.fromkeys(skill.context, 0.0)))
        return cls(skill, 0, Belief.untaught(*size), RewardRegression.untaught(*size), Guard())

    def act(self, context: Values, rng: np.random.Generator) -> Choice:
        """What to do.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, `NOT_FINITE`: of the context.
        """
        features = self.skill.features_of(context)
        centre = self.belief.wanted(features)
        offset, probability = varied(self.rewards, features, centre, rng)
        return Choice(self.skill.action(context, offset), probability)

    def directions(self, score: Score) -> dict[Axis, Vector]:
        """Which of a score's axes are about this skill, and what each asks of its parameters."""
        asked = {axis: self.skill.direction(axis) for axis in score.axes}
        return {axis: direction for axis, direction in asked.items() if direction.any()}

    def is_about(self, score: Score) -> bool:
        """Whether anything can be learnt from a score."""
        return score.confidence > 0.0 and (score.sign is not Sign.NEUTRAL or bool(self.directions(score)))

    def learned(self, act: ActionRecord, score: Score, rng: np.random.Generator) -> tuple[CorrectionPolicy, str]:
        """The policy after a judgement, and why it is as it is, in one sentence.

        Args:
            act: What was done, by whichever version: it is what was done that was judged.
            score: What was said of it; one that `is_about`.
            rng: Source of chance.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, `NOT_FINITE`: of the act.
        """
        features = self.skill.features_of(act.context)
        done = self.skill.offset(act.context, act.action)
        asked = self.directions(score)
        belief = taught(self.belief, features, done, score, list(asked.values()), rng)
        rewards, guard, back = self.rewards, self.guard, False
        if score.sign is not Sign.NEUTRAL:
            rewards = rewards.after(features, done, score.rating, score.confidence)
            guard, belief, back = guard.after(score.rating, belief)
        before = self.version if asked else self.before
        policy = replace(self, version=0, belief=belief, rewards=rewards, guard=guard, before=before)
        return policy, _reason(score, asked, back)

    def arrays(self) -> dict[str, Vector]:
        """All of it as numbers, to be stored."""
        known = {
            "particles": self.belief.particles,
            "log_weights": self.belief.log_weights,
            "reward_precision": self.rewards.precision,
            "reward_evidence": self.rewards.evidence,
            "counts": np.array([self.rewards.judged, self.before], float),
            "recent_ratings": np.array(self.guard.recent, float),
        }
        best = self.guard.baseline
        if best is None:
            return known
        return known | {
            "baseline_rating": np.array([best.mean, best.variance]),
            "baseline_particles": best.belief.particles,
            "baseline_log_weights": best.belief.log_weights,
        }

    @classmethod
    def from_arrays(cls, skill: Skill, version: int, arrays: Mapping[str, Vector]) -> CorrectionPolicy:
        """What `arrays` wrote.

        Raises:
            AgentError: `POLICY_REJECTED`: it is a policy of something else.
        """
        fresh = cls.untaught(skill)
        fitting = fresh.arrays().keys() <= arrays.keys() and all(
            arrays[name].shape == one.shape for name, one in fresh.arrays().items() if name != "recent_ratings"
        )
        if not fitting or not all(np.isfinite(one).all() for one in arrays.values()):
            message = f"Version {version} does not fit the skill {skill.name}: it has other parameters or features."
            raise AgentError(ErrorCode.POLICY_REJECTED, message)
        judged, before = (int(count) for count in arrays["counts"])
        return cls(
            skill,
            version,
            Belief(arrays["particles"], arrays["log_weights"]),
            RewardRegression(arrays["reward_precision"], arrays["reward_evidence"], judged),
            Guard(tuple(float(rating) for rating in arrays["recent_ratings"]), _baseline(arrays)),
            before,
        )


def _baseline(arrays: Mapping[str, Vector]) -> Baseline | None:
    if "baseline_rating" not in arrays:
        return None
    mean, variance = (float(number) for number in arrays["baseline_rating"])
    return Baseline(mean, variance, Belief(arrays["baseline_particles"], arrays["baseline_log_weights"]))


def _reason(score: Score, asked: Mapping[Axis, Vector], back: bool) -> str:
    if back:
        return "It was received worse than before, so it went back."
    if asked:
        return f"It was corrected: {', '.join(asked)}."
    return "It was praised." if score.sign is Sign.POSITIVE else "It was criticised."
