"""What people said and rated themselves: labels for the reward model."""

from __future__ import annotations

from sqlalchemy import select

from reachy_agent_ros.learning.feedback.schema import JUDGEMENTS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.judgement import Source
from reachy_agent_ros.learning.reward.labels import Label

MOST = 1_000
"""Labels that count, the newest ones: each makes a score a little dearer."""


def given_labels(store: FeedbackStore) -> list[Label]:
    """Words with a rating by the same person: given with them, or as the answer to a question about them.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    rated = JUDGEMENTS.c.rating.is_not(None) & (JUDGEMENTS.c.text != "")
    query = (
        select(JUDGEMENTS.c.text, JUDGEMENTS.c.rating)
        .where(rated, JUDGEMENTS.c.source != Source.IMPLICIT.value)
        .order_by(JUDGEMENTS.c.given.desc())
        .limit(MOST)
    )
    return [Label(row.text, row.rating) for row in reversed(store.find(query))]
