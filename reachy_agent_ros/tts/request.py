"""Checks of what somebody wants said, before a sound is made."""

from __future__ import annotations

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.normalisation import normalised
from reachy_agent_ros.tts.text import speakable

LONGEST_TEXT = 5_000
"""Characters: five minutes of speech, after which nobody listens."""

SLOWEST, FASTEST = 0.5, 2.0
"""Speeds at which the voice is still understood."""


def checked_text(text: str, language: str = "en-us") -> str:
    """The text as words to say.

    Args:
        text: As it was written.
        language: Of the voice, as espeak names it; figures and signs become words in English only.

    Raises:
        AgentError: `EMPTY_TEXT` where nothing can be said, `INVALID_GOAL` where it is too long.
    """
    if len(text) > LONGEST_TEXT:
        raise AgentError(ErrorCode.INVALID_GOAL, f"The text has {len(text)} characters; {LONGEST_TEXT} are the most.")
    words = speakable(text)
    if not words:
        raise AgentError(ErrorCode.EMPTY_TEXT, f"There is nothing to say in {text[:40]!r}.")
    return normalised(words) if language.startswith("en") else words


def checked_speed(speed: float) -> float:
    """The speed, 1 where it is 0.

    Raises:
        AgentError: `INVALID_GOAL` beyond 0.5 to 2.
    """
    if speed == 0.0:
        return 1.0
    if not SLOWEST <= speed <= FASTEST:
        raise AgentError(ErrorCode.INVALID_GOAL, f"A speed of {speed:g} is not within {SLOWEST:g} to {FASTEST:g}.")
    return speed


def checked_volume(volume: float, default: float) -> float:
    """The volume, `default` where it is 0.

    Raises:
        AgentError: `INVALID_GOAL` beyond 0 to 1.
    """
    if volume == 0.0:
        return default
    if not 0.0 < volume <= 1.0:
        raise AgentError(ErrorCode.INVALID_GOAL, f"A volume of {volume:g} is not within 0 to 1.")
    return volume
