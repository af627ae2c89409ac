"""Trains the tool advisor on logged and rated choices. Deploys a new policy only if it is better."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sqlalchemy import select

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.action_record import TOOL_CHOICE
from reachy_agent_ros.learning.advisor.advice_policy import SILENT, AdvicePolicy, RatingModel
from reachy_agent_ros.learning.advisor.choice import AdvisedChoice
from reachy_agent_ros.learning.advisor.off_policy import PolicyValue, evaluated, evidence, learned
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.feedback.rows import act_of_row
from reachy_agent_ros.learning.feedback.schema import ACTS, OUTCOMES, REWARDS
from reachy_agent_ros.learning.feedback.store import FeedbackStore

ALGORITHM = "doubly_robust"

FEWEST = 50
"""Minimum number of rated choices for learning."""

MATCHED = 20
"""Minimum number of the new policy's suggestions that were tried: with fewer, confidence intervals are too narrow."""

_FOLDS = 5

_MOST = 20_000
"""Maximum number of choices used; older choices are ignored."""


_RatedChoices = tuple[list[AdvisedChoice], Vector]


@dataclass(frozen=True)
class AdvisorTraining:
    """Result of training the tool advisor.

    Attributes:
        record: Record of the version that is now active.
        better: Whether a new version was deployed.
        reason: Sentence that explains why a new version was or was not deployed.
        evaluation: Evaluation of the learned policy; its gain is relative to the previously active version.
    """

    record: PolicyRecord
    better: bool
    reason: str
    evaluation: PolicyValue


@dataclass(frozen=True)
class LoggedChoices:
    """Logged choices with ratings.

    Attributes:
        choices: Rated choices in chronological order.
        ratings: Rating of each choice, -1..1.
        unjudged: Number of choices without a rating or without features.
        refused: Number of rated choices that were rejected as invalid.
    """

    choices: list[AdvisedChoice]
    ratings: Vector
    unjudged: int
    refused: int


def train_advisor(store: FeedbackStore, policies: PolicyStore, seed: int = 0) -> AdvisorTraining:
    """Learns a policy. Deploys it if enough suggestions were tried and its gain has a positive lower bound.

    Args:
        store: Feedback store with the log.
        policies: Store with the versions of the policy.
        seed: Random seed of the bootstrap.

    Raises:
        AgentError: `NO_DATA` for too few rated choices; `INVALID_GOAL` if a version is pinned; `POLICY_REJECTED` if the
            weights of the active version have a wrong shape; `STORAGE_FAILED`.
    """
    logged = _enough(logged_choices(store))
    with policies.alone():
        before = first_version(policies)
        if policies.standing(TOOL_CHOICE).pinned:
            raise AgentError(
                ErrorCode.INVALID_GOAL, f"Version {before.version} of {TOOL_CHOICE} is pinned: unpin it first."
            )
        acting = AdvicePolicy.from_arrays(policies.weights(before))
        evaluation = cross_validated(logged, acting, seed)
        reason = _reason(evaluation)
        if evaluation.matched < MATCHED or evaluation.gain.low <= 0.0:
            return AdvisorTraining(before, False, reason, evaluation)
        policy, _ = learned(logged.choices, logged.ratings)
        record = PolicyRecord(TOOL_CHOICE, 0, ALGORITHM, 0.0, before.version, reason, seed, figures(evaluation))
        return AdvisorTraining(policies.save(record, policy.arrays()), True, reason, evaluation)


def evaluate_advisor(store: FeedbackStore, policies: PolicyStore, seed: int = 0) -> PolicyValue:
    """Evaluates the active version against a policy that never suggests a tool.

    The evaluation may use choices that the active version was learned from; only its rating model is cross-validated.
    Saves a version if none is active.

    Raises:
        AgentError: `NO_DATA`, `POLICY_REJECTED`, `STORAGE_FAILED`.
    """
    logged = _enough(logged_choices(store))
    acting = AdvicePolicy.from_arrays(policies.weights(first_version(policies)))
    rows = [evidence(acting, SILENT, *unseen, RatingModel.fitted(*seen)) for seen, unseen in _folds(logged)]
    return evaluated(np.concatenate(rows), np.random.default_rng(seed))


def cross_validated(logged: LoggedChoices, acting: AdvicePolicy, seed: int = 0) -> PolicyValue:
    """Returns the cross-validated value of a policy learned from logged choices.

    Args:
        logged: The choices.
        acting: Policy to compare with.
        seed: Random seed of the bootstrap.
    """
    rows = []
    for seen, unseen in _folds(logged):
        policy, model = learned(*seen)
        rows.append(evidence(policy, acting, *unseen, model))
    return evaluated(np.concatenate(rows), np.random.default_rng(seed))


def first_version(policies: PolicyStore) -> PolicyRecord:
    """Returns the record of the active version. Saves `SILENT` as a new version if none is active."""
    with policies.alone():
        if policies.standing(TOOL_CHOICE).active:
            return policies.inspect(TOOL_CHOICE)
        record = PolicyRecord(TOOL_CHOICE, 0, ALGORITHM, 0.0, because="Initial version, never advises.")
        return policies.save(record, SILENT.arrays())


def figures(evaluation: PolicyValue) -> dict[str, float]:
    """Converts an evaluation to a dictionary of numbers for a policy record."""
    estimates = ("logged", "ips", "snips", "doubly_robust", "gain")
    found = {"judged": float(evaluation.count), "matched": evaluation.matched}
    for name in estimates:
        value, low, high = getattr(evaluation, name)
        found |= {name: value, f"{name}_low": low, f"{name}_high": high}
    return {name: round(value, 4) for name, value in found.items()}


def logged_choices(store: FeedbackStore) -> LoggedChoices:
    """Reads the logged choices. Each choice gets the rating of its turn, because people rate the result of a turn.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = select(ACTS, OUTCOMES.c.ended, OUTCOMES.c.outcome)
    query = query.outerjoin(OUTCOMES, OUTCOMES.c.act_id == ACTS.c.act_id).where(ACTS.c.skill == TOOL_CHOICE)
    rated = _ratings_by_turn(store)
    choices: list[AdvisedChoice] = []
    ratings: list[float] = []
    unjudged = refused = 0
    for row in reversed(store.find(query.order_by(ACTS.c.began.desc()).limit(_MOST))):
        act = act_of_row(row._mapping)
        rating = rated.get(str(act.turn_id))
        if rating is None or not act.context:
            unjudged += 1
            continue
        try:
            choices.append(AdvisedChoice.of_act(act))
        except AgentError:
            refused += 1
        else:
            ratings.append(rating)
    return LoggedChoices(choices, np.array(ratings), unjudged, refused)


def _folds(logged: LoggedChoices) -> Iterator[tuple[_RatedChoices, _RatedChoices]]:
    """Yields the choices to learn from, and the choices to evaluate with, for each fold of a cross-validation."""
    fold = np.arange(len(logged.choices)) % _FOLDS
    for held_out in range(_FOLDS):
        seen, unseen = (
            ([logged.choices[index] for index in part], logged.ratings[part])
            for part in (np.flatnonzero(fold != held_out), np.flatnonzero(fold == held_out))
        )
        yield seen, unseen


def _enough(logged: LoggedChoices) -> LoggedChoices:
    if len(logged.choices) < FEWEST:
        message = f"Too few rated tool choices to learn from: {len(logged.choices)} of {FEWEST}."
        raise AgentError(ErrorCode.NO_DATA, message)
    return logged


def _reason(evaluation: PolicyValue) -> str:
    gain = evaluation.gain
    bounds = f"a rating {gain.value:+.2f} better [{gain.low:+.2f} to {gain.high:+.2f}]"
    if evaluation.matched < MATCHED:
        return f"Too few of its suggestions were tried to evaluate it: {evaluation.matched:.0f} of {MATCHED}."
    if gain.low > 0.0:
        return f"Better: {evaluation.count} rated choices show {bounds}."
    return f"Not shown to be better: {evaluation.count} rated choices show {bounds}."


def _ratings_by_turn(store: FeedbackStore) -> dict[str, float]:
    """Returns the mean rating of each turn, weighted by credit and confidence. Does not count neutral rewards."""
    query = select(ACTS.c.turn_id, REWARDS.c.rating, REWARDS.c.confidence, REWARDS.c.weight)
    query = query.join(REWARDS, REWARDS.c.act_id == ACTS.c.act_id).where(REWARDS.c.sign != 0)
    totals: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for row in store.find(query):
        surety = row.weight * row.confidence
        totals[row.turn_id][0] += surety * row.rating
        totals[row.turn_id][1] += surety
    return {turn_id: total / weight for turn_id, (total, weight) in totals.items() if weight > 0.0}
