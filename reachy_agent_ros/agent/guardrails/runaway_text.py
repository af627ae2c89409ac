"""Detection of streamed text that repeats itself or never ends."""

from __future__ import annotations

from collections.abc import Iterator

from reachy_agent_ros.core.errors import AgentError, ErrorCode

MAX_CHARACTERS = 20_000
"""Maximum length of a reply, characters: twenty minutes of speech."""

_LEAST_REPEATED = 240
_LEAST_TIMES = 4
_WINDOW = 2_000
_CHECK_EVERY = 60

LEAST_SENTENCE = 20
"""Minimum length of repeated sentences, characters. Shorter text, such as laughter, may be repeated more often."""


class RunawayError(AgentError):
    """Error for a text that repeats itself or is too long."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.MODEL_MISBEHAVED, message)


class RunawayText:
    """Detects endless or repetitive text in the reply or the tool arguments of one model call.

    Args:
        most: Maximum number of characters.
    """

    def __init__(self, most: int = MAX_CHARACTERS) -> None:
        self._most = most
        self._length = 0
        self._tail = ""
        self._unchecked = 0

    def feed(self, text: str) -> None:
        """Checks the next part of the text.

        Raises:
            RunawayError: The call should be stopped. Earlier parts of the text may be kept.
        """
        self._length += len(text)
        if self._length > self._most:
            raise RunawayError(f"The language model's answer did not end within {self._most} characters.")
        for first in range(0, len(text), _CHECK_EVERY):
            self._extend(text[first : first + _CHECK_EVERY])

    def _extend(self, piece: str) -> None:
        self._tail = (self._tail + piece)[-_WINDOW:]
        self._unchecked += len(piece)
        if self._unchecked < _CHECK_EVERY:
            return
        self._unchecked = 0
        if repeated_at_end(self._tail):
            raise RunawayError(f"The language model repeats itself: {repeated_at_end(self._tail)!r:.60}.")


class RepeatedSentences:
    """Detects a reply that repeats sentences, three times in a row. Not for tool arguments, which may be repetitive."""

    def __init__(self) -> None:
        self._tail = ""

    def feed(self, text: str) -> None:
        """Checks the next part of the reply. Each part should be shorter than `LEAST_SENTENCE`.

        Raises:
            RunawayError: The third occurrence has begun.
        """
        self._tail = (self._tail + text)[-_WINDOW:]
        for length, period in _periods(self._tail):
            if period >= LEAST_SENTENCE and length >= 2 * period + LEAST_SENTENCE:
                raise RunawayError(f"The language model repeats itself: {self._tail[-period:]!r:.60}.")


def repeated_at_end(text: str) -> str:
    """Returns the string whose repetitions form the end of a text; empty if the text does not end with repetitions.

    The string must occur at least `_LEAST_TIMES` times, with at least `_LEAST_REPEATED` characters in total.
    """
    for length, period in _periods(text):
        if length >= _LEAST_REPEATED and length >= _LEAST_TIMES * period:
            return text[-period:]
    return ""


def _periods(text: str) -> Iterator[tuple[int, int]]:
    """Yields the length and the smallest period of each suffix of a text, shortest suffix first.

    Uses the failure function of the Knuth-Morris-Pratt algorithm on the reversed text, so it takes linear time.
    """
    backwards = text[::-1]
    borders = [0] * len(backwards)
    for end in range(1, len(backwards)):
        border = borders[end - 1]
        while border and backwards[end] != backwards[border]:
            border = borders[border - 1]
        borders[end] = border + (backwards[end] == backwards[border])
        yield end + 1, end + 1 - borders[end]
