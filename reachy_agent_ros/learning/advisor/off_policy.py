"""Off-policy evaluation and learning: what another policy's advice would have been worth, told from what was logged.

Three estimates: by importance (IPS), self-normalised (Swaminathan and Joachims, "The self-normalized estimator for
counterfactual learning", 2015) and doubly robust (Dudík, Langford and Li, "Doubly robust policy evaluation and
learning", 2011). The last is right on average whatever the rating model says, because the probabilities of the logged
advice are known, and narrow where that model is good. Intervals are percentiles of a Bayesian bootstrap (Rubin, 1981)
that is given two surprises beside what was logged, as Agresti and Coull ("Approximate is better than exact", 1998)
give some to shares: without them, an advice that was tried a dozen times and never failed looks surer than it is.

People do not judge every request. Among those that are judged, IPS and doubly robust estimates hold if judging does not
depend on the advice; the self-normalised one estimates the mean rating of what would be judged even if it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.advisor.advice_policy import (
    AdvicePolicy,
    RatingModel,
    advice_features,
    names_of,
    policy_of,
    priors,
    ridge,
)
from reachy_agent_ros.learning.advisor.choice import AdvisedChoice
from reachy_agent_ros.learning.estimate import Estimate

LARGEST_WEIGHT = 100.0
"""Of one choice; beyond it, one lucky advice would speak for hundreds. It holds for all that the advisor logs itself
with an exploration of at least 4 % and three tools."""

_RESAMPLED = 2000

_AT_ONCE = 100


@dataclass(frozen=True)
class PolicyValue:
    """What a policy is worth.

    Attributes:
        count: Judged choices that it was told from.
        matched: How many of their suggestions it would have made itself.
        logged: Mean rating, -1..1, under the policies that were logged.
        ips: Of the policy, by importance.
        snips: Likewise, self-normalised.
        doubly_robust: Likewise, doubly robust.
        gain: `doubly_robust` beyond that of the policy it is compared with, from the same choices.
    """

    count: int
    matched: float
    logged: Estimate
    ips: Estimate
    snips: Estimate
    doubly_robust: Estimate
    gain: Estimate


def evidence(
    policy: AdvicePolicy, other: AdvicePolicy, choices: Sequence[AdvisedChoice], ratings: Vector, model: RatingModel
) -> Matrix:
    """What choices tell of a policy, one row each, for `evaluated`.

    Args:
        policy: Made without these choices: one that was fitted to them would look better than it is.
        other: It is compared with this one.
        choices: What was logged, by whichever policies.
        ratings: -1..1, one a choice.
        model: Made without these choices too.

    Raises:
        AgentError: `NO_DATA`: there are no ratings; `INVALID_ARGUMENTS`, `NOT_FINITE`: of the ratings.
    """
    rewards = _checked_ratings(choices, ratings)
    weights = np.minimum(importance(policy, choices), LARGEST_WEIGHT)
    matched = [policy.probabilities(one.situation)[one.index] if one.advised else 0.0 for one in choices]
    robust, others = (doubly_robust(one, choices, rewards, model) for one in (policy, other))
    return np.column_stack((rewards, weights * rewards, weights, robust, robust - others, matched))


def evaluated(rows: Matrix, rng: np.random.Generator) -> PolicyValue:
    """Estimates and their intervals.

    Args:
        rows: From `evidence`.
        rng: Source of chance of the bootstrap.
    """
    logged, ips, weight, robust, gain = _means(rows[:, :-1], rng)
    return PolicyValue(
        count=len(rows),
        matched=float(rows[:, -1].sum()),
        logged=_interval(logged),
        ips=_interval(ips),
        snips=_interval(ips / np.maximum(weight, 1e-12)),
        doubly_robust=_interval(robust),
        gain=_interval(gain),
    )


def learned(choices: Sequence[AdvisedChoice], ratings: Vector) -> tuple[AdvicePolicy, RatingModel]:
    """The policy that logged choices teach, and the rating model that it was made with.

    Every choice tells of all its options: what the model expects, and for the one that was advised what the rating adds
    to that, by its importance (Dudík, Langford and Li, 2011). The difference to no advice is then a regression.

    Args:
        choices: Logged, by whichever policies.
        ratings: -1..1, one a choice.

    Raises:
        AgentError: `NO_DATA`: there are no ratings; `INVALID_ARGUMENTS`, `NOT_FINITE`: of the ratings.
    """
    rewards = _checked_ratings(choices, ratings)
    model = RatingModel.fitted(choices, rewards)
    names = names_of(choices)
    rows, values = [], []
    for choice, rating in zip(choices, rewards, strict=True):
        options = model.ratings(choice.situation)
        options[choice.index] += min(1.0 / choice.probability, LARGEST_WEIGHT) * (rating - options[choice.index])
        rows += [advice_features(choice.situation, tool, names) for tool in choice.situation.tools]
        values += list(options[1:] - options[0])
    if not rows:
        return policy_of(np.zeros(len(priors(0))), []), model
    return policy_of(ridge(np.array(rows), np.array(values), priors(len(names))), names), model


def _checked_ratings(choices: Sequence[AdvisedChoice], ratings: Vector) -> Vector:
    """The ratings.

    Raises:
        AgentError: `NO_DATA`: there are none; `INVALID_ARGUMENTS`: not one a choice, or one beyond -1..1; `NOT_FINITE`.
    """
    rewards = np.asarray(ratings, dtype=np.float64)
    if not len(choices):
        raise AgentError(ErrorCode.NO_DATA, "No choice of a tool has been judged.")
    if rewards.shape != (len(choices),):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Every choice needs one rating.")
    if not np.isfinite(rewards).all():
        raise AgentError(ErrorCode.NOT_FINITE, "A rating must be a finite number.")
    if np.any(np.abs(rewards) > 1.0):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "A rating is from -1 to 1.")
    return rewards


def importance(policy: AdvicePolicy, choices: Sequence[AdvisedChoice]) -> Vector:
    """How many times as likely each logged advice is under a policy as it was when it was given."""
    return np.array([policy.probabilities(one.situation)[one.index] / one.probability for one in choices])


def doubly_robust(
    policy: AdvicePolicy, choices: Sequence[AdvisedChoice], ratings: Vector, model: RatingModel
) -> Vector:
    """One value a choice, whose mean is the estimate: what the model expects of the policy, put right by what came."""
    weights = np.minimum(importance(policy, choices), LARGEST_WEIGHT)
    expected = [model.ratings(one.situation) for one in choices]
    direct = [policy.probabilities(one.situation) @ each for one, each in zip(choices, expected, strict=True)]
    missed = ratings - np.array([each[one.index] for one, each in zip(choices, expected, strict=True)])
    return np.asarray(np.array(direct) + weights * missed)


def _means(columns: Matrix, rng: np.random.Generator) -> list[Vector]:
    """The mean of each column, and after it those of the resampled ones, surprises among them."""
    means = [columns.mean(axis=0)[None]]
    resampled = np.concatenate((columns, _surprises(columns)))
    for _ in range(_RESAMPLED // _AT_ONCE):
        shares = rng.standard_exponential((_AT_ONCE, len(resampled)))
        means.append(shares @ resampled / shares.sum(axis=1, keepdims=True))
    return list(np.concatenate(means).T)


def _surprises(columns: Matrix) -> Matrix:
    """Two choices as heavy as the heaviest, rated 1 above and 1 below what was to be expected."""
    logged, ips, weight, robust, gain = columns.mean(axis=0)
    heaviest = columns[:, 2].max()
    expected = np.array([logged, heaviest * ips / max(weight, 1e-12), heaviest, robust, gain])
    surprise = np.array([1.0, heaviest, 0.0, heaviest, heaviest])
    return np.stack((expected + surprise, expected - surprise))


def _interval(values: Vector) -> Estimate:
    low, high = np.quantile(values[1:], (0.025, 0.975))
    return Estimate(float(values[0]), float(low), float(high))
