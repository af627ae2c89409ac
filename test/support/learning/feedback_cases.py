"""Action records and feedback events for tests."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource, judgment_from
from reachy_agent_ros.learning.score import Axis, Score, Sign


class WordScorer:
    """Scorer with fixed scores for a few sentences and low confidence for all others."""

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        """Returns the score of one utterance."""
        known = {
            "good": Score(Sign.POSITIVE, 0.7, 0.95),
            "bad": Score(Sign.NEGATIVE, -0.6, 0.95),
            "too far down": Score(Sign.NEGATIVE, -0.3, 0.9, (Axis.PITCH_UP,)),
        }
        return known.get(text, Score(Sign.NEUTRAL, 0.0, 0.4))


def act(
    turn_id: uuid.UUID | None = None,
    *,
    began: float = 100.0,
    ended: float = 101.0,
    skill: str = "look_at_object",
    outcome: Mapping[str, float] | None = None,
) -> ActionRecord:
    """Returns an action record of looking at an object."""
    return ActionRecord(
        uuid.uuid4(), turn_id, skill, {"target_pitch": 0.1}, {"pitch": 0.2}, 1.0, "look-3", began, ended, outcome or {}
    )


def said(
    text: str,
    *,
    at: float = 102.0,
    turn_id: uuid.UUID | None = None,
    source: FeedbackSource = FeedbackSource.SPEECH,
    person: str = "",
    rating: float | None = None,
) -> FeedbackEvent:
    """Returns a feedback event with the time `at` (s)."""
    if rating is None and source in (FeedbackSource.BUTTON, FeedbackSource.RATING, FeedbackSource.IMPLICIT):
        rating = -0.5
    return judgment_from(source, text, rating=rating, turn_id=turn_id, person=person, given=at)
