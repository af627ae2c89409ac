"""Training of the advisor: learning from all judged choices that were logged, and deployment only of what is better."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from sqlalchemy import select

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.advisor.advice_policy import SILENT, AdvicePolicy
from reachy_agent_ros.learning.advisor.choice import SKILL, AdvisedChoice
from reachy_agent_ros.learning.advisor.off_policy import PolicyValue, evaluated, evidence, learned
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.feedback.rows import act_of_row
from reachy_agent_ros.learning.feedback.schema import ACTS, OUTCOMES, REWARDS
from reachy_agent_ros.learning.feedback.store import FeedbackStore

ALGORITHM = "doubly_robust"

FEWEST = 50
"""Judged choices without which there is no use in learning."""

MATCHED = 20
"""Suggestions of the new policy that must have been tried: an interval from fewer is too sure of itself."""

_FOLDS = 5

_MOST = 20_000
"""Choices that are learned from, the latest."""


@dataclass(frozen=True)
class AdvisorTraining:
    """What came of it.

    Attributes:
        record: The version that acts from now on.
        better: Whether that is a new one.
        reason: Why, or why not, in one sentence.
        evaluation: Of what was learned; its gain is beyond the version that acted before.
    """

    record: PolicyRecord
    better: bool
    reason: str
    evaluation: PolicyValue


@dataclass(frozen=True)
class LoggedChoices:
    """What there is to learn from.

    Attributes:
        choices: Those that were judged, in the order in which they were made.
        ratings: -1..1, one a choice.
        unjudged: Choices that nobody said anything about, or where nothing could be advised.
        refused: Choices that nothing can be learned from, because a number of theirs is wrong.
    """

    choices: list[AdvisedChoice]
    ratings: Vector
    unjudged: int
    refused: int


def train_advisor(store: FeedbackStore, policies: PolicyStore, seed: int = 0) -> AdvisorTraining:
    """Learns from the store, and makes a new version act if the lower bound of its gain is above 0.

    Args:
        store: What was logged.
        policies: Where the versions are.
        seed: Of the bootstrap.

    Raises:
        AgentError: `NO_DATA`: too few choices were judged; `INVALID_GOAL`: a version is pinned; `POLICY_REJECTED`: the
            one that acts is of another shape; `STORAGE_FAILED`.
    """
    logged = _enough(logged_choices(store))
    with policies.alone():
        before = first_version(policies)
        if policies.standing(SKILL).pinned:
            raise AgentError(ErrorCode.INVALID_GOAL, f"Version {before.version} of {SKILL} is pinned: unpin it first.")
        acting = AdvicePolicy.from_arrays(policies.weights(before))
        evaluation = cross_validated(logged, acting, seed)
        reason = _reason(evaluation)
        if evaluation.matched < MATCHED or evaluation.gain.low <= 0.0:
            return AdvisorTraining(before, False, reason, evaluation)
        policy, _ = learned(logged.choices, logged.ratings)
        record = PolicyRecord(SKILL, 0, ALGORITHM, 0.0, before.version, reason, seed, figures(evaluation))
        return AdvisorTraining(policies.save(record, policy.arrays()), True, reason, evaluation)


def evaluate_advisor(store: FeedbackStore, policies: PolicyStore, seed: int = 0) -> PolicyValue:
    """What the version that acts is worth beyond no advice; part of this it may have been learned from.

    Raises:
        AgentError: `NO_DATA`, `POLICY_REJECTED`, `STORAGE_FAILED`.
    """
    logged = _enough(logged_choices(store))
    acting = AdvicePolicy.from_arrays(policies.weights(first_version(policies)))
    _, model = learned(logged.choices, logged.ratings)
    rows = evidence(acting, SILENT, logged.choices, logged.ratings, model)
    return evaluated(rows, np.random.default_rng(seed))


def cross_validated(logged: LoggedChoices, acting: AdvicePolicy, seed: int = 0) -> PolicyValue:
    """What learning from these choices yields: each is judged by a policy that was learned without it.

    Args:
        logged: The choices.
        acting: It is compared with this policy.
        seed: Of the bootstrap.
    """
    fold = np.arange(len(logged.choices)) % _FOLDS
    rows = []
    for held_out in range(_FOLDS):
        seen, unseen = np.flatnonzero(fold != held_out), np.flatnonzero(fold == held_out)
        policy, model = learned([logged.choices[index] for index in seen], logged.ratings[seen])
        rows.append(
            evidence(policy, acting, [logged.choices[index] for index in unseen], logged.ratings[unseen], model)
        )
    return evaluated(np.concatenate(rows), np.random.default_rng(seed))


def first_version(policies: PolicyStore) -> PolicyRecord:
    """The version that acts; the one that advises nothing where there was none."""
    with policies.alone():
        if policies.standing(SKILL).active:
            return policies.inspect(SKILL)
        record = PolicyRecord(SKILL, 0, ALGORITHM, 0.0, because="Nothing has been learned yet: it advises nothing.")
        return policies.save(record, SILENT.arrays())


def figures(evaluation: PolicyValue) -> dict[str, float]:
    """The numbers of an evaluation, for a record."""
    estimates = ("logged", "ips", "snips", "doubly_robust", "gain")
    found = {"judged": float(evaluation.count), "matched": evaluation.matched}
    for name in estimates:
        value, low, high = getattr(evaluation, name)
        found |= {name: value, f"{name}_low": low, f"{name}_high": high}
    return {name: round(value, 4) for name, value in found.items()}


def logged_choices(store: FeedbackStore) -> LoggedChoices:
    """Reads them. A choice is rated as its whole turn: what people judge is what came of it.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = select(ACTS, OUTCOMES.c.ended, OUTCOMES.c.outcome)
    query = query.outerjoin(OUTCOMES, OUTCOMES.c.act_id == ACTS.c.act_id).where(ACTS.c.skill == SKILL)
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


def _enough(logged: LoggedChoices) -> LoggedChoices:
    if len(logged.choices) < FEWEST:
        message = f"{len(logged.choices)} choices of tools have been judged; {FEWEST} are needed to learn from them."
        raise AgentError(ErrorCode.NO_DATA, message)
    return logged


def _reason(evaluation: PolicyValue) -> str:
    gain = evaluation.gain
    bounds = f"a rating {gain.value:+.2f} better [{gain.low:+.2f} to {gain.high:+.2f}]"
    if evaluation.matched < MATCHED:
        return f"Only {evaluation.matched:.0f} of its suggestions were tried; {MATCHED} are needed to tell."
    if gain.low > 0.0:
        return f"It is better: {evaluation.count} judged choices tell {bounds}."
    return f"It is not proven to be better: {evaluation.count} judged choices tell {bounds}."


def _ratings_by_turn(store: FeedbackStore) -> dict[str, float]:
    """The mean of what was said of each turn, the surer the heavier; what was no judgement does not count."""
    query = select(ACTS.c.turn_id, REWARDS.c.rating, REWARDS.c.confidence, REWARDS.c.weight)
    query = query.join(REWARDS, REWARDS.c.act_id == ACTS.c.act_id).where(REWARDS.c.sign != 0)
    totals: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for row in store.find(query):
        surety = row.weight * row.confidence
        totals[row.turn_id][0] += surety * row.rating
        totals[row.turn_id][1] += surety
    return {turn_id: total / weight for turn_id, (total, weight) in totals.items() if weight > 0.0}
