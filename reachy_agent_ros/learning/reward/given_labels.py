"""Labels that people gave: words that they rated themselves, from the feedback database."""

from __future__ import annotations

from sqlalchemy import func, select

from reachy_agent_ros.learning.feedback.schema import JUDGEMENTS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.judgement import Source
from reachy_agent_ros.learning.reward.labels import Label

MOST = 1_000
"""Labels that count, the newest ones: each makes a score a little dearer."""

_RATED = JUDGEMENTS.c.rating.is_not(None) & (JUDGEMENTS.c.text != "") & (JUDGEMENTS.c.source != Source.IMPLICIT.value)


def given_labels(store: FeedbackStore, person: str | None = None) -> list[Label]:
    """Words with a rating by the same person: given with them, or as the answer to a question about them.

    Args:
        store: Where they are.
        person: Only theirs; None for everybody's.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = select(JUDGEMENTS.c.text, JUDGEMENTS.c.rating).where(_RATED)
    if person is not None:
        query = query.where(JUDGEMENTS.c.person == person)
    found = store.find(query.order_by(JUDGEMENTS.c.given.desc()).limit(MOST))
    return [Label(row.text, row.rating) for row in reversed(found)]


def who_labelled(store: FeedbackStore) -> dict[str, int]:
    """How many labels each person gave who is known by name.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    person = JUDGEMENTS.c.person
    query = select(person, func.count().label("labels")).where(_RATED, person != "").group_by(person).order_by(person)
    return {row.person: row.labels for row in store.find(query)}
