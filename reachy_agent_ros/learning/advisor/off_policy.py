"""Off-policy evaluation and learning: value of another policy's advice, estimated from logged choices.

Three estimates: inverse propensity scoring (IPS), self-normalized (Swaminathan and Joachims, "The self-normalized
estimator for counterfactual learning", 2015) and doubly robust (Dudík, Langford and Li, "Doubly robust policy
evaluation and learning", 2011). The last is unbiased for any rating model, because the probabilities of the logged
advice are known, and precise if that model is good. Intervals are percentiles of a Bayesian bootstrap (Rubin, 1981)
with two pseudo-observations, like those of Agresti and Coull ("Approximate is better than exact", 1998) for
proportions: without them, an advice that was tried a dozen times and never failed would look too certain.

People do not rate every request. For the rated ones, IPS and doubly robust estimates hold if rating does not depend on
the advice; the self-normalized one estimates the mean rating of the requests that would be rated even if it does.
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
"""Maximum importance weight of a choice, so that one lucky advice does not count for hundreds. Choices logged by the
advisor with an exploration of at least 4 % and three tools do not exceed it."""

_RESAMPLED = 2000

_AT_ONCE = 100


@dataclass(frozen=True)
class PolicyValue:
    """Estimated value of a policy.

    Attributes:
        count: Number of rated choices used.
        matched: Expected number of logged suggestions that the policy would have made too.
        logged: Mean rating under the logging policies, -1..1.
        ips: Value by inverse propensity scoring.
        snips: Self-normalized value.
        doubly_robust: Doubly robust value.
        gain: `doubly_robust` minus that of the policy it is compared with, from the same choices.
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
    """Contributions of choices to the estimates, one row each, for `evaluated`.

    Args:
        policy: Policy to evaluate; must not have been fitted to these choices, which would bias the estimates.
        other: Policy to compare with.
        choices: Logged choices of any policies.
        ratings: Rating of each choice, -1..1.
        model: Rating model, not fitted to these choices either.

    Raises:
        AgentError: `NO_DATA` without ratings; `INVALID_ARGUMENTS` or `NOT_FINITE` for invalid ratings.
    """
    rewards = _checked_ratings(choices, ratings)
    weights = np.minimum(importance(policy, choices), LARGEST_WEIGHT)
    matched = [policy.probabilities(one.situation)[one.index] if one.advised else 0.0 for one in choices]
    robust, others = (doubly_robust(one, choices, rewards, model) for one in (policy, other))
    return np.column_stack((rewards, weights * rewards, weights, robust, robust - others, matched))


def evaluated(rows: Matrix, rng: np.random.Generator) -> PolicyValue:
    """Computes estimates and their intervals.

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
    """Learns a policy from logged choices; also returns the rating model used.

    Each choice gives a doubly robust value of all its options: the model's expectation, for the advised one corrected
    by the weighted residual (Dudík, Langford and Li, 2011). A regression then fits the difference to no advice.

    Args:
        choices: Logged choices of any policies.
        ratings: Rating of each choice, -1..1.

    Raises:
        AgentError: `NO_DATA` without ratings; `INVALID_ARGUMENTS` or `NOT_FINITE` for invalid ratings.
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
    """Validates ratings.

    Raises:
        AgentError: `NO_DATA` without choices; `INVALID_ARGUMENTS` for a wrong number of ratings or one beyond -1..1;
            `NOT_FINITE`.
    """
    rewards = np.asarray(ratings, dtype=np.float64)
    if not len(choices):
        raise AgentError(ErrorCode.NO_DATA, "No advice has been rated.")
    if rewards.shape != (len(choices),):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid ratings: expected one for each choice.")
    if not np.isfinite(rewards).all():
        raise AgentError(ErrorCode.NOT_FINITE, "Invalid rating: expected a finite number.")
    if np.any(np.abs(rewards) > 1.0):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid rating: expected -1 to 1.")
    return rewards


def importance(policy: AdvicePolicy, choices: Sequence[AdvisedChoice]) -> Vector:
    """Importance weights: probability of each logged advice under a policy, divided by its logged probability."""
    return np.array([policy.probabilities(one.situation)[one.index] / one.probability for one in choices])


def doubly_robust(
    policy: AdvicePolicy, choices: Sequence[AdvisedChoice], ratings: Vector, model: RatingModel
) -> Vector:
    """Doubly robust value of each choice: the model's expectation, corrected by the weighted residual."""
    weights = np.minimum(importance(policy, choices), LARGEST_WEIGHT)
    expected = [model.ratings(one.situation) for one in choices]
    direct = [policy.probabilities(one.situation) @ each for one, each in zip(choices, expected, strict=True)]
    missed = ratings - np.array([each[one.index] for one, each in zip(choices, expected, strict=True)])
    return np.asarray(np.array(direct) + weights * missed)


def _means(columns: Matrix, rng: np.random.Generator) -> list[Vector]:
    """Mean of each column, followed by its bootstrap means including the pseudo-observations."""
    means = [columns.mean(axis=0)[None]]
    resampled = np.concatenate((columns, _surprises(columns)))
    for _ in range(_RESAMPLED // _AT_ONCE):
        shares = rng.standard_exponential((_AT_ONCE, len(resampled)))
        means.append(shares @ resampled / shares.sum(axis=1, keepdims=True))
    return list(np.concatenate(means).T)


def _surprises(columns: Matrix) -> Matrix:
    """Two pseudo-observations with the largest weight, rated 1 above and 1 below the expectation."""
    logged, ips, weight, robust, gain = columns.mean(axis=0)
    heaviest = columns[:, 2].max()
    expected = np.array([logged, heaviest * ips / max(weight, 1e-12), heaviest, robust, gain])
    surprise = np.array([1.0, heaviest, 0.0, heaviest, heaviest])
    return np.stack((expected + surprise, expected - surprise))


def _interval(values: Vector) -> Estimate:
    low, high = np.quantile(values[1:], (0.025, 0.975))
    return Estimate(float(values[0]), float(low), float(high))
