"""What a person said of the robot, before anybody makes a reward of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from enum import IntEnum


class Source(IntEnum):
    """How it was given; mirror of `Feedback`."""

    TEXT = 0
    SPEECH = 1
    BUTTON = 2
    RATING = 3
    IMPLICIT = 4


@dataclass(frozen=True)
class Judgement:
    """One judgement.

    Attributes:
        feedback_id: Random.
        source: How it was given.
        text: The person's own words, empty for a button; an implicit signal's name.
        given: Wall clock, s since the epoch; of speech, when its first word began.
        turn_id: Turn it judges, None where it is to be found out.
        rating: -1..1 where the person gave one, else None; minus its strength for an implicit signal.
        person: Who, empty if unknown.
    """

    feedback_id: uuid.UUID
    source: Source
    text: str
    given: float
    turn_id: uuid.UUID | None = None
    rating: float | None = None
    person: str = ""
