"""Feedback history: past judgments and rewards (newest first), and their export as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import RowMapping, select

from reachy_agent_ros.learning.feedback.schema import ACTS, JUDGMENTS, REWARDS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackSource

_REWARDS = (
    select(REWARDS, JUDGMENTS.c.given, ACTS.c.skill)
    .join(JUDGMENTS, JUDGMENTS.c.feedback_id == REWARDS.c.feedback_id)
    .outerjoin(ACTS, ACTS.c.act_id == REWARDS.c.act_id)
)


@dataclass(frozen=True)
class PastReward:
    """Reward that one judgment gave to one action.

    Attributes:
        feedback_id: Identifier of the judgment.
        act_id: Identifier of the action.
        skill: Skill or tool; empty if the action is no longer stored.
        given: Wall clock time of the judgment, s since the epoch.
        weight: The action's share of the judgment, 0..1.
        sign: Sign of the judgment: -1, 0 or 1.
        rating: Rating, -1..1.
        confidence: Probability that the sign is right, 0..1.
        axes: Requested corrections.
        stop: Whether the judgment was an urgent stop.
        policy_version: Version of the policy that chose the action.
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
class PastJudgment:
    """Judgment and the rewards computed from it.

    Attributes:
        feedback_id: Identifier of the judgment.
        source: Input channel.
        text: Words of the person; for an implicit signal, the name of the signal.
        given: Wall clock time of the judgment, s since the epoch.
        turn_id: Conversation turn that the judgment names; empty if it names none.
        rating: Rating given by the person, -1..1; None if there is none. For an implicit signal, its negated strength.
        person: Name of the person; empty if unknown.
        rewards: Rewards in descending order of weight.
    """

    feedback_id: str
    source: FeedbackSource
    text: str
    given: float
    turn_id: str
    rating: float | None
    person: str
    rewards: Sequence[PastReward]


def past_judgments(store: FeedbackStore, since: float, limit: int) -> list[PastJudgment]:
    """Returns the latest judgments, newest first.

    Args:
        store: The feedback store.
        since: Exclusive lower bound of the judgment time, s since the epoch.
        limit: Maximum number of judgments.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = select(JUDGMENTS).where(JUDGMENTS.c.given > since)
    judgments = store.find(query.order_by(JUDGMENTS.c.given.desc()).limit(limit))
    known = [row.feedback_id for row in judgments]
    made: dict[str, list[PastReward]] = {feedback_id: [] for feedback_id in known}
    for row in store.find(_REWARDS.where(REWARDS.c.feedback_id.in_(known)).order_by(REWARDS.c.weight.desc())):
        made[row.feedback_id].append(_past_reward(row._mapping))
    return [
        PastJudgment(
            feedback_id=row.feedback_id,
            source=FeedbackSource(row.source),
            text=row.text,
            given=row.given,
            turn_id=row.turn_id or "",
            rating=row.rating,
            person=row.person,
            rewards=made[row.feedback_id],
        )
        for row in judgments
    ]


def past_rewards(store: FeedbackStore, since: float, limit: int, skill: str = "") -> list[PastReward]:
    """Returns the latest rewards, newest first.

    Args:
        store: The feedback store.
        since: Exclusive lower bound of the judgment time, s since the epoch.
        limit: Maximum number of rewards.
        skill: Skill to select; empty for all skills.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = _REWARDS.where(JUDGMENTS.c.given > since)
    if skill:
        query = query.where(ACTS.c.skill == skill)
    latest = query.order_by(JUDGMENTS.c.given.desc(), REWARDS.c.weight.desc()).limit(limit)
    return [_past_reward(row._mapping) for row in store.find(latest)]


def export_lines(store: FeedbackStore) -> Iterator[str]:
    """Yields each row as a line of JSON that contains the columns, and the name of the table under `kind`.

    Values have SI units, and times are in s since the epoch. Actions and their outcomes come before judgments and
    rewards.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    for row in store.rows():
        yield json.dumps({"kind": row.table, **row.values}, ensure_ascii=False)


def _past_reward(values: RowMapping) -> PastReward:
    return PastReward(**{**values, "skill": values["skill"] or ""})
