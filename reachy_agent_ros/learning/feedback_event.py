"""Judgements: what a person said of the robot, before anybody makes a reward of it.

`judgement_from` checks what comes in at the edge, so that nothing behind it meets bad input.
"""

from __future__ import annotations

import math
import time
import unicodedata
import uuid
from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.sanitised_text import sanitised

MAX_CHARACTERS = 2_000
"""Of one judgement: nobody says more about one act."""

MAX_NAME = 100
"""Characters of a person's name."""

_CLOCK_ERROR = 5.0
"""s by which another machine's clock may be ahead of ours."""


class FeedbackSource(IntEnum):
    """How it was given; mirror of `Feedback`."""

    TEXT = 0
    SPEECH = 1
    BUTTON = 2
    RATING = 3
    IMPLICIT = 4


_NEEDS_RATING = (FeedbackSource.BUTTON, FeedbackSource.RATING, FeedbackSource.IMPLICIT)


@dataclass(frozen=True)
class FeedbackEvent:
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
    source: FeedbackSource
    text: str
    given: float
    turn_id: uuid.UUID | None = None
    rating: float | None = None
    person: str = ""


def judgement_from(
    source: FeedbackSource,
    text: str = "",
    *,
    rating: float | None = None,
    turn_id: uuid.UUID | bytes | str | None = None,
    person: str = "",
    given: float | None = None,
) -> FeedbackEvent:
    """Checks what came in.

    Args:
        source: How it came.
        text: The person's words, needed for text and speech; an implicit signal's name. What nobody can see is taken
            out of it.
        rating: -1..1; needed for a button (-1 or 1), a rating and an implicit signal (minus its strength).
        turn_id: Turn it judges: 16 bytes or their usual spelling; None, empty or zeros where it is to be found out.
        person: Who, empty if unknown.
        given: Wall clock, s since the epoch; of speech, when its first word began. None: now.

    Raises:
        AgentError: `EMPTY_TEXT`; `NOT_FINITE` for a rating or time that is not finite; `INVALID_ARGUMENTS` for one out
            of range, a text or name that is too long, or an invalid identifier.
    """
    now = time.time()
    return FeedbackEvent(
        feedback_id=uuid.uuid4(),
        source=_source(source),
        text=_text(text, source),
        given=now if given is None else _time(given, now),
        turn_id=_identity(turn_id),
        rating=_rating(rating, source),
        person=_person(person),
    )


def _source(source: int) -> FeedbackSource:
    try:
        return FeedbackSource(source)
    except ValueError:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is no source of feedback with number {source}.") from None


def _text(text: str, source: FeedbackSource) -> str:
    if len(text) > MAX_CHARACTERS:
        raise AgentError(
            ErrorCode.INVALID_ARGUMENTS, f"A judgement has at most {MAX_CHARACTERS} characters, not {len(text)}."
        )
    clean = sanitised(text).strip()
    if not clean and source not in (FeedbackSource.BUTTON, FeedbackSource.RATING):
        raise AgentError(ErrorCode.EMPTY_TEXT, "The judgement has no words.")
    return clean


def _rating(rating: float | None, source: FeedbackSource) -> float | None:
    if rating is None:
        if source in _NEEDS_RATING:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"A judgement by {source.name.lower()} needs a rating.")
        return None
    if not math.isfinite(rating):
        raise AgentError(ErrorCode.NOT_FINITE, "The rating must be a finite number.")
    if not -1.0 <= rating <= 1.0:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"A rating is between -1 and 1, not {rating:g}.")
    return float(rating)


def _time(given: float, now: float) -> float:
    if not math.isfinite(given):
        raise AgentError(ErrorCode.NOT_FINITE, "The time of the judgement must be a finite number.")
    if not 0.0 <= given <= now + _CLOCK_ERROR:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "The time of the judgement is before 1970 or in the future.")
    return float(given)


def _person(person: str) -> str:
    name = unicodedata.normalize("NFC", sanitised(person[: MAX_NAME + 1])).strip()
    if len(person) > MAX_NAME or not name.isprintable():
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"A person's name is one line of at most {MAX_NAME} characters.")
    return name


def _identity(value: uuid.UUID | bytes | str | None) -> uuid.UUID | None:
    if not value:
        return None
    try:
        found = value if isinstance(value, uuid.UUID) else uuid.UUID(value) if isinstance(value, str) else _of(value)
    except ValueError:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid turn_id: expected a UUID as text or 16 bytes.") from None
    return found if found.int else None


def _of(value: bytes) -> uuid.UUID:
    return uuid.UUID(bytes=bytes(value))
