"""Bounds on a growing answer, because a server may ignore the length it was given and a model may never end."""

from __future__ import annotations

from reachy_agent_ros.core.errors import AgentError, ErrorCode

CUT_OFF = "The language model's answer was longer than it may be."
"""What is said of an answer that did not end within its greatest length."""

CHARACTERS_PER_TOKEN = 16
"""More than any tokeniser's average: an answer beyond this has more tokens than were asked for."""

CIRCLE = 400
"""Characters at the end of an answer that, when they are one block over and over, are a circle."""

LONGEST_BLOCK = 100
"""Characters of such a block."""


class AnswerGuard:
    """Reads an answer as it grows and stops it where it goes wrong.

    Args:
        max_tokens: Longest answer, tokens; None for no bound on its length.
    """

    def __init__(self, max_tokens: int | None) -> None:
        self._most = None if max_tokens is None else max_tokens * CHARACTERS_PER_TOKEN
        self._length = 0
        self._tail = ""
        self._looked_at = 0

    def feed(self, text: str) -> None:
        """Takes the next piece of text or of a call's arguments.

        Raises:
            AgentError: `MODEL_TRUNCATED`, it is longer than it may be; `MODEL_MISBEHAVED`, it goes in circles.
        """
        self._length += len(text)
        if self._most is not None and self._length > self._most:
            raise AgentError(ErrorCode.MODEL_TRUNCATED, CUT_OFF)
        self._tail = (self._tail + text)[-CIRCLE:]
        if self._length >= self._looked_at + LONGEST_BLOCK:
            self._looked_at = self._length
            if is_circle(self._tail):
                message = "The language model said the same thing over and over."
                raise AgentError(ErrorCode.MODEL_MISBEHAVED, message)


def is_circle(text: str) -> bool:
    """Whether a text of at least `CIRCLE` characters is one short block over and over."""
    if len(text) < CIRCLE:
        return False
    return any(text[length:] == text[:-length] for length in range(1, LONGEST_BLOCK + 1))
