"""History of feedback: what was judged and what it was worth, newest first, and all of it as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import RowMapping, select

from reachy_agent_ros.learning.feedback.schema import ACTS, JUDGEMENTS, REWARDS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackSource

_REWARDS = (
    select(REWARDS, JUDGEMENTS.c.given, ACTS.c.skill)
    .join(JUDGEMENTS, JUDGEMENTS.c.feedback_id == REWARDS.c.feedback_id)
    .outerjoin(ACTS, ACTS.c.act_id == REWARDS.c.act_id)
)


@dataclass(frozen=True)
class PastReward:
    """What one act got of one judgement.

    Attributes:
        feedback_id: The judgement.
        act_id: What was done.
        skill: Skill or tool, empty where the act is no longer known.
        given: Wall clock, s since the epoch.
        weight: Of the judgement that the act got, 0..1.
        sign: -1, 0 or 1.
        rating: -1..1.
        confidence: 0..1.
        axes: Corrections it asked for.
        stop: Whether it was an urgent stop.
        policy_version: Which policy had chosen.
    """

    feedback_id: str
    act_id: str
    skill: str
    given: float
    weight: float
    sign: int
    rating: float
    confidence: float
    axes: Sequence[str]
    stop: bool
    policy_version: str


@dataclass(frozen=True)
class PastJudgement:
    """A judgement and what was made of it.

    Attributes:
        feedback_id: Of it.
        source: How it was given.
        text: The person's words.
        given: Wall clock, s since the epoch.
        turn_id: Turn that was named, empty for none.
        rating: As the person gave it, None where they gave none.
        person: Who, empty if unknown.
        rewards: The act that got most of it first.
    """

    feedback_id: str
    source: FeedbackSource
    text: str
    given: float
    turn_id: str
    rating: float | None
    person: str
    rewards: Sequence[PastReward]


def past_judgements(store: FeedbackStore, since: float, limit: int) -> list[PastJudgement]:
    """Latest judgements, the newest first.

    Args:
        store: Where they are.
        since: s since the epoch; only later ones.
        limit: At most so many.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = select(JUDGEMENTS).where(JUDGEMENTS.c.given > since)
    judgements = store.find(query.order_by(JUDGEMENTS.c.given.desc()).limit(limit))
    known = [row.feedback_id for row in judgements]
    made: dict[str, list[PastReward]] = {feedback_id: [] for feedback_id in known}
    for row in store.find(_REWARDS.where(REWARDS.c.feedback_id.in_(known)).order_by(REWARDS.c.weight.desc())):
        made[row.feedback_id].append(_past_reward(row._mapping))
    return [
        PastJudgement(
            feedback_id=row.feedback_id,
            source=FeedbackSource(row.source),
            text=row.text,
            given=row.given,
            turn_id=row.turn_id or "",
            rating=row.rating,
            person=row.person,
            rewards=made[row.feedback_id],
        )
        for row in judgements
    ]


def past_rewards(store: FeedbackStore, since: float, limit: int, skill: str = "") -> list[PastReward]:
    """Latest rewards, the newest first, as `past_judgements`.

    Args:
        store: Where they are.
        since: s since the epoch; only later ones.
        limit: At most so many.
        skill: Only of this one; empty: of all.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = _REWARDS.where(JUDGEMENTS.c.given > since)
    if skill:
        query = query.where(ACTS.c.skill == skill)
    latest = query.order_by(JUDGEMENTS.c.given.desc(), REWARDS.c.weight.desc()).limit(limit)
    return [_past_reward(row._mapping) for row in store.find(latest)]


def export_lines(store: FeedbackStore) -> Iterator[str]:
    """One JSON object a row: its table under `kind`, and its columns; SI units, times in s since the epoch.

    Acts and their outcomes come before judgements and the rewards made from them.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    for row in store.rows():
        yield json.dumps({"kind": row.table, **row.values}, ensure_ascii=False)


def _past_reward(values: RowMapping) -> PastReward:
    return PastReward(**{**values, "skill": values["skill"] or ""})
