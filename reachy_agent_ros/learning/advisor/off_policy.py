"""Off-policy evaluation and learning, which estimates a policy's value from choices that other policies logged.

There are three estimates: inverse propensity scoring (IPS), self-normalized IPS (Swaminathan and Joachims, "The
self-normalized estimator for counterfactual learning", 2015) and doubly robust (Dudík, Langford and Li, "Doubly robust
policy evaluation and learning", 2011). The doubly robust estimate is unbiased for any rating model, because the
probabilities of the logged suggestions are known, and it is precise if the rating model is good. Confidence intervals
are percentiles of a Bayesian bootstrap (Rubin, 1981) with two pseudo-observations, as Agresti and Coull use for
proportions ("Approximate is better than exact", 1998). Without the pseudo-observations, a suggestion that was tried a
dozen times and never failed would look too certain.

People do not rate every request. For rated requests, the IPS and doubly robust estimates are valid if the decision to
rate does not depend on the suggestion. If it does, the self-normalized estimate still gives the mean rating of the
requests that would be rated.
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
"""Maximum importance weight of a choice, so that one lucky suggestion does not count as hundreds. Choices that the
advisor logged with at least 4 % exploration and three tools do not exceed it."""

_RESAMPLED = 2000

_AT_ONCE = 100


@dataclass(frozen=True)
class PolicyValue:
    """Estimated value of a policy, by several estimators, with confidence intervals.

    Attributes:
        count: Number of rated choices used.
        matched: Expected number of logged suggestions that this policy would also have made.
        logged: Mean rating under the logging policies, -1..1.
        ips: Value by inverse propensity scoring.
        snips: Self-normalized value.
        doubly_robust: Doubly robust value.
        gain: `doubly_robust` minus the doubly robust value of the policy it is compared with, from the same choices.
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
    """Returns the contribution of each choice to the estimates, one row for each choice. Input of `evaluated`.

    Args:
        policy: Policy to evaluate. It must not have been fitted to these choices, which would bias the estimates.
        other: Policy to compare with.
        choices: Choices logged under any policies.
        ratings: Rating of each choice, -1..1.
        model: Rating model. It must not have been fitted to these choices.

    Raises:
        AgentError: `NO_DATA` without choices; `INVALID_ARGUMENTS` or `NOT_FINITE` for invalid ratings.
    """
    rewards = _checked_ratings(choices, ratings)
    weights = np.minimum(importance(policy, choices), LARGEST_WEIGHT)
    matched = [policy.probabilities(one.situation)[one.index] if one.advised else 0.0 for one in choices]
    robust, others = (doubly_robust(one, choices, rewards, model) for one in (policy, other))
    return np.column_stack((rewards, weights * rewards, weights, robust, robust - others, matched))


def evaluated(rows: Matrix, rng: np.random.Generator) -> PolicyValue:
    """Computes the estimated value of a policy with confidence intervals.

    Args:
        rows: Result of `evidence`.
        rng: Random generator of the bootstrap.
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
    """Learns a policy from logged choices. Returns the policy and the rating model on which it is based.

    Each choice gives a doubly robust value for all its options: the rating that the model expects, which for the
    suggested option is corrected by the weighted residual (Dudík, Langford and Li, 2011). A regression then fits the
    difference from the value without a suggestion.

    Args:
        choices: Choices logged under any policies.
        ratings: Rating of each choice, -1..1.

    Raises:
        AgentError: `NO_DATA` without choices; `INVALID_ARGUMENTS` or `NOT_FINITE` for invalid ratings.
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
    """Validates the ratings and returns them as an array.

    Raises:
        AgentError: `NO_DATA` without choices; `INVALID_ARGUMENTS` for a wrong number of ratings or a rating outside
            -1..1; `NOT_FINITE`.
    """
    rewards = np.asarray(ratings, dtype=np.float64)
    if not len(choices):
        raise AgentError(ErrorCode.NO_DATA, "No suggestion of the tool advisor has been rated.")
    if rewards.shape != (len(choices),):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid number of ratings: expected one rating for each choice.")
    if not np.isfinite(rewards).all():
        raise AgentError(ErrorCode.NOT_FINITE, "Invalid rating: expected a finite number.")
    if np.any(np.abs(rewards) > 1.0):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid rating: expected -1 to 1.")
    return rewards


def importance(policy: AdvicePolicy, choices: Sequence[AdvisedChoice]) -> Vector:
    """Returns importance weights: each suggestion's probability under a policy, divided by its logged probability."""
    return np.array([policy.probabilities(one.situation)[one.index] / one.probability for one in choices])


def doubly_robust(
    policy: AdvicePolicy, choices: Sequence[AdvisedChoice], ratings: Vector, model: RatingModel
) -> Vector:
    """Returns the doubly robust value of each choice: the expected rating plus the weighted prediction error."""
    weights = np.minimum(importance(policy, choices), LARGEST_WEIGHT)
    expected = [model.ratings(one.situation) for one in choices]
    direct = [policy.probabilities(one.situation) @ each for one, each in zip(choices, expected, strict=True)]
    missed = ratings - np.array([each[one.index] for one, each in zip(choices, expected, strict=True)])
    return np.asarray(np.array(direct) + weights * missed)


def _means(columns: Matrix, rng: np.random.Generator) -> list[Vector]:
    """Returns the mean of each column, followed by bootstrap means of the column.

    The bootstrap also samples the pseudo-observations.
    """
    means = [columns.mean(axis=0)[None]]
    resampled = np.concatenate((columns, _surprises(columns)))
    for _ in range(_RESAMPLED // _AT_ONCE):
        shares = rng.standard_exponential((_AT_ONCE, len(resampled)))
        means.append(shares @ resampled / shares.sum(axis=1, keepdims=True))
    return list(np.concatenate(means).T)


def _surprises(columns: Matrix) -> Matrix:
    """Returns two pseudo-observations with the largest weight.

    One is rated 1 above the expected rating, the other 1 below.
    """
    logged, ips, weight, robust, gain = columns.mean(axis=0)
    heaviest = columns[:, 2].max()
    expected = np.array([logged, heaviest * ips / max(weight, 1e-12), heaviest, robust, gain])
    surprise = np.array([1.0, heaviest, 0.0, heaviest, heaviest])
    return np.stack((expected + surprise, expected - surprise))


def _interval(values: Vector) -> Estimate:
    low, high = np.quantile(values[1:], (0.025, 0.975))
    return Estimate(float(values[0]), float(low), float(high))
