"""Correction policy, which learns the parameters of a skill from feedback. Reverts changes with worse ratings."""

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
"""Number of ratings in each comparison."""

_STANDARD_ERRORS = 2.0

RESTORED = "Ratings fell, so the earlier behavior was restored."
"""Reason for a version that the guard has restored."""

_DOUBT = 1.3
"""Factor that widens a restored belief, because learning from it led to worse ratings."""


class Choice(NamedTuple):
    """Parameters that a policy has chosen for an action, with the probability of this choice.

    Attributes:
        action: Value of each parameter, SI units, within bounds.
        probability: Probability of that choice; 1 if deterministic.
    """

    action: dict[str, float]
    probability: float


@dataclass(frozen=True)
class Baseline:
    """Window of consecutive actions with the best mean rating so far.

    Attributes:
        mean: Mean rating.
        variance: Variance of the mean.
        belief: Belief at the end of the window.
    """

    mean: float
    variance: float
    belief: Belief


@dataclass(frozen=True)
class Guard:
    """Detects that ratings have become worse. Compares every `WINDOW` ratings with the best earlier window.

    Attributes:
        recent: Ratings since the last comparison.
        baseline: Best window so far; None before the first comparison.
    """

    recent: tuple[float, ...] = ()
    baseline: Baseline | None = None

    def after(self, rating: float, belief: Belief) -> tuple[Guard, Belief, bool]:
        """Adds a rating. After every `WINDOW` ratings, compares the recent ratings with the baseline.

        Args:
            rating: Rating of an action, -1..1.
            belief: Belief after learning from that rating.

        Returns:
            The new guard, the belief to use, and whether that belief was restored from the baseline. It is restored if
            the mean rating falls below the baseline by more than two standard errors of the difference.
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
    """Immutable version of a skill's policy.

    Attributes:
        skill: The skill.
        version: Number in the store; 0 before it is saved.
        belief: Wanted offsets, learned from corrections and praise.
        rewards: Model of ratings by offset.
        guard: Monitor of recent ratings.
        before: Version before the last correction, which "undo" restores; 0 if there is none.
    """

    skill: Skill
    version: int
    belief: Belief
    rewards: RewardRegression
    guard: Guard
    before: int = 0

    @classmethod
    def untaught(cls, skill: Skill) -> CorrectionPolicy:
        """Returns the initial policy, which chooses the nominal parameters."""
        size = len(skill.parameters), len(skill.features_of(dict.fromkeys(skill.context, 0.0)))
        return cls(skill, 0, Belief.untaught(*size), RewardRegression.untaught(*size), Guard())

    def act(self, context: Values, rng: np.random.Generator) -> Choice:
        """Chooses the parameters of an action.

        Raises:
            AgentError: `INVALID_ARGUMENTS` or `NOT_FINITE` for the context.
        """
        features = self.skill.features_of(context)
        center = self.belief.wanted(features)
        offset, probability = varied(self.rewards, features, center, rng)
        return Choice(self.skill.action(context, offset), probability)

    def directions(self, score: Score) -> dict[Axis, Vector]:
        """Returns the axes of a score that concern this skill, each with its direction in parameter space."""
        asked = {axis: self.skill.direction(axis) for axis in score.axes}
        return {axis: direction for axis, direction in asked.items() if direction.any()}

    def is_about(self, score: Score) -> bool:
        """Returns whether this policy can learn from a score. False if all corrections concern other skills."""
        if score.confidence <= 0.0:
            return False
        return bool(self.directions(score)) if score.axes else score.sign is not Sign.NEUTRAL

    def learned(self, act: ActionRecord, score: Score, rng: np.random.Generator) -> tuple[CorrectionPolicy, str]:
        """Learns from feedback. Returns the new policy and a sentence with the reason for the change.

        Args:
            act: The judged action, of any version.
            score: Score of the feedback, for which `is_about` is true.
            rng: Random generator.

        Raises:
            AgentError: `INVALID_ARGUMENTS` or `NOT_FINITE` for the action.
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
        """Returns all parameters of the policy as arrays for storage."""
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
        """Creates a policy from the result of `arrays`.

        Raises:
            AgentError: `POLICY_REJECTED` if the arrays do not fit the skill or contain a number that is not finite.
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
        return RESTORED
    if asked:
        return f"Corrected: {', '.join(asked)}."
    return "Praised." if score.sign is Sign.POSITIVE else "Criticized."
