"""Judged choices as the feedback store has them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from sqlalchemy import select

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.advisor.choice import SKILL, Choice
from reachy_agent_ros.learning.feedback.rows import act_of_row
from reachy_agent_ros.learning.feedback.schema import ACTS, OUTCOMES, REWARDS
from reachy_agent_ros.learning.feedback.store import FeedbackStore

_MOST = 20_000
"""Choices that are learned from, the latest."""


@dataclass(frozen=True)
class LoggedChoices:
    """What there is to learn from.

    Attributes:
        choices: Those that were judged, in the order in which they were made.
        ratings: -1..1, one a choice.
        unjudged: Choices that nobody said anything about, or where nothing could be advised.
        refused: Choices that nothing can be learned from, because a number of theirs is wrong.
    """

    choices: list[Choice]
    ratings: Vector
    unjudged: int
    refused: int


def logged_choices(store: FeedbackStore) -> LoggedChoices:
    """Reads them. A choice is rated as its whole turn: what people judge is what came of it.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = select(ACTS, OUTCOMES.c.ended, OUTCOMES.c.outcome)
    query = query.outerjoin(OUTCOMES, OUTCOMES.c.act_id == ACTS.c.act_id).where(ACTS.c.skill == SKILL)
    rated = _ratings_by_turn(store)
    choices: list[Choice] = []
    ratings: list[float] = []
    unjudged = refused = 0
    for row in reversed(store.find(query.order_by(ACTS.c.began.desc()).limit(_MOST))):
        act = act_of_row(row._mapping)
        rating = rated.get(str(act.turn_id))
        if rating is None or not act.context:
            unjudged += 1
            continue
        try:
            choices.append(Choice.of_act(act))
        except AgentError:
            refused += 1
        else:
            ratings.append(rating)
    return LoggedChoices(choices, np.array(ratings), unjudged, refused)


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
