"""Acts of which a person both showed and said what they thought: what implicit signals are calibrated by."""

from __future__ import annotations

from sqlalchemy import func, select

from reachy_agent_ros.learning.feedback.implicit import Observation, Signal
from reachy_agent_ros.learning.feedback.schema import JUDGEMENTS, REWARDS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.judgement import Source


def observations(store: FeedbackStore) -> list[Observation]:
    """Each signal with the mean of what the same person said of the same act.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    shown, said = JUDGEMENTS.alias("shown"), JUDGEMENTS.alias("said")
    shown_of, said_of = REWARDS.alias("shown_of"), REWARDS.alias("said_of")
    query = (
        select(shown.c.person, shown.c.text, shown.c.rating, func.avg(said_of.c.rating).label("mean"))
        .join(shown_of, shown_of.c.feedback_id == shown.c.feedback_id)
        .join(said_of, said_of.c.act_id == shown_of.c.act_id)
        .join(said, (said.c.feedback_id == said_of.c.feedback_id) & (said.c.person == shown.c.person))
        .where(shown.c.source == Source.IMPLICIT.value, said.c.source != Source.IMPLICIT.value)
        .group_by(shown.c.feedback_id, shown.c.person, shown.c.text, shown.c.rating)
        .order_by(shown.c.feedback_id)
    )
    return [Observation(row.person, Signal(row.text), abs(row.rating), row.mean) for row in store.find(query)]
