"""Notices a stream of text that repeats itself or never ends."""

from __future__ import annotations

from reachy_agent_ros.core.errors import AgentError, ErrorCode

MAX_CHARACTERS = 20_000
"""Of one reply: half an hour of speech."""

_LEAST_REPEATED = 240
_LEAST_TIMES = 4
_WINDOW = 2_000
_CHECK_EVERY = 60


class RunawayError(AgentError):
    """A text that was ended."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.MODEL_MISBEHAVED, message)


class RunawayText:
    """Watches one model call's stream, reply or arguments.

    Args:
        most: Characters it may have.
    """

    def __init__(self, most: int = MAX_CHARACTERS) -> None:
        self._most = most
        self._length = 0
        self._tail = ""
        self._unchecked = 0

    def feed(self, text: str) -> None:
        """Takes the next piece.

        Raises:
            RunawayError: The call should be ended; what came before may stay.
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


def repeated_at_end(text: str) -> str:
    """What the end of a text is made of again and again, over `_LEAST_REPEATED` characters; empty if it is not.

    The failure function of Knuth, Morris and Pratt, of the text read backwards, gives the smallest period of each of
    its ends in linear time.
    """
    backwards = text[::-1]
    borders = [0] * len(backwards)
    for end in range(1, len(backwards)):
        border = borders[end - 1]
        while border and backwards[end] != backwards[border]:
            border = borders[border - 1]
        borders[end] = border + (backwards[end] == backwards[border])
        length = end + 1
        period = length - borders[end]
        if length >= _LEAST_REPEATED and length >= _LEAST_TIMES * period:
            return text[-period:]
    return ""
