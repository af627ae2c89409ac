"""Feedback events, in which a person judges the robot.

`judgment_from` validates an event before it becomes a reward.
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
"""Maximum length of one feedback text, characters: nobody says more about a single action."""

MAX_NAME = 100
"""Maximum length of a person's name, characters."""

_CLOCK_ERROR = 5.0
"""Amount by which the clock of another machine may be ahead of the local clock, s."""


class FeedbackSource(IntEnum):
    """Input channel of a judgment. Mirrors the constants of the `Feedback` message."""

    TEXT = 0
    SPEECH = 1
    BUTTON = 2
    RATING = 3
    IMPLICIT = 4


_NEEDS_RATING = (FeedbackSource.BUTTON, FeedbackSource.RATING, FeedbackSource.IMPLICIT)


@dataclass(frozen=True)
class FeedbackEvent:
    """A person's judgment of the robot's behavior.

    Attributes:
        feedback_id: Random identifier.
        source: Input channel.
        text: Words of the person, empty for a button; for an implicit signal, the name of the signal.
        given: Wall clock time of the judgment, s since the epoch; for speech, the start of the first word.
        turn_id: Conversation turn that is judged; None if credit assignment has to find it.
        rating: Rating, -1..1; None if the person gave none. For an implicit signal, its negated strength.
        person: Name of the person; empty if unknown.
    """

    feedback_id: uuid.UUID
    source: FeedbackSource
    text: str
    given: float
    turn_id: uuid.UUID | None = None
    rating: float | None = None
    person: str = ""


def judgment_from(
    source: FeedbackSource,
    text: str = "",
    *,
    rating: float | None = None,
    turn_id: uuid.UUID | bytes | str | None = None,
    person: str = "",
    given: float | None = None,
) -> FeedbackEvent:
    """Validates input and creates a feedback event.

    Args:
        source: Input channel.
        text: Words of the person, required for text and speech; for an implicit signal, the name of the signal.
            Invisible characters and chat template tokens are removed.
        rating: Rating, -1..1; required for a button (-1 or 1), a rating and an implicit signal (its negated strength).
        turn_id: Conversation turn that is judged, as a UUID, as text or as 16 bytes; None, empty or zeros if unknown.
        person: Name of the person; empty if unknown.
        given: Wall clock time, s since the epoch; for speech, the start of the first word; None for now.

    Raises:
        AgentError: `EMPTY_TEXT`; `NOT_FINITE` for a rating or time that is not finite; `INVALID_ARGUMENTS` for an
            unknown source, a missing rating, a value out of range, a text that is too long, a name that is too long or
            has several lines, or an invalid identifier.
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
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid feedback source {source}: expected 0 to 4.") from None


def _text(text: str, source: FeedbackSource) -> str:
    if len(text) > MAX_CHARACTERS:
        raise AgentError(
            ErrorCode.INVALID_ARGUMENTS, f"Feedback too long: {len(text)} characters, maximum {MAX_CHARACTERS}."
        )
    clean = sanitised(text).strip()
    if not clean and source not in (FeedbackSource.BUTTON, FeedbackSource.RATING):
        raise AgentError(ErrorCode.EMPTY_TEXT, "The feedback contains no words.")
    return clean


def _rating(rating: float | None, source: FeedbackSource) -> float | None:
    if rating is None:
        if source in _NEEDS_RATING:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Feedback by {source.name.lower()} requires a rating.")
        return None
    if not math.isfinite(rating):
        raise AgentError(ErrorCode.NOT_FINITE, "Invalid rating: expected a finite number.")
    if not -1.0 <= rating <= 1.0:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid rating {rating:g}: expected -1 to 1.")
    return float(rating)


def _time(given: float, now: float) -> float:
    if not math.isfinite(given):
        raise AgentError(ErrorCode.NOT_FINITE, "Invalid feedback time: expected a finite number.")
    if not 0.0 <= given <= now + _CLOCK_ERROR:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid feedback time: it is before 1970 or in the future.")
    return float(given)


def _person(person: str) -> str:
    name = unicodedata.normalize("NFC", sanitised(person[: MAX_NAME + 1])).strip()
    if len(person) > MAX_NAME or not name.isprintable():
        raise AgentError(
            ErrorCode.INVALID_ARGUMENTS, f"Invalid person: expected one line of at most {MAX_NAME} characters."
        )
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
