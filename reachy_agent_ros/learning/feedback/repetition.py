"""Noticing that a person says the same thing again."""

from __future__ import annotations

from collections import OrderedDict

from reachy_agent_ros.learning.feedback.implicit import likeness

ALIKE = 0.6
"""Share of the words from which a sentence is taken for the one before."""

_CONVERSATIONS = 50
"""Of which the last sentence is known."""


class Repetition:
    """Compares each sentence with the one before it in its conversation."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, str] = OrderedDict()

    def strength(self, conversation: str, text: str) -> float:
        """How much of a repetition this sentence is, which then counts as said.

        Returns:
            `ALIKE`..1, or 0 for none.
        """
        before = self._last.pop(conversation, "")
        self._last[conversation] = text
        while len(self._last) > _CONVERSATIONS:
            self._last.popitem(last=False)
        alike = likeness(before, text)
        return alike if alike >= ALIKE else 0.0
