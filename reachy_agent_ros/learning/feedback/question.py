"""Asking a person whether it was good, and not asking too often."""

from __future__ import annotations

import threading
import uuid

from reachy_agent_ros.learning.score import Score

SURE = 0.6
"""Confidence from which nobody is asked; the reward model's card may give a better one."""

TURNS = 5
"""At most one question in so many turns."""

QUESTION = "Did you like that?"


class QuestionRule:
    """When to ask: where the words left it open, and not again within five turns. For several threads.

    Args:
        sure: Confidence, 0..1, from which nobody is asked.
        turns: At most one question in so many of them.
    """

    def __init__(self, sure: float = SURE, turns: int = TURNS) -> None:
        self._sure = sure
        self._turns = turns
        self._lock = threading.Lock()
        self._latest: uuid.UUID | None = None
        self._since = turns

    def note_turn(self, turn_id: uuid.UUID) -> None:
        """Tells that a turn is under way; the same one counts once."""
        with self._lock:
            if turn_id != self._latest:
                self._latest = turn_id
                self._since += 1

    def question(self, score: Score) -> str | None:
        """The question to ask now; None for none. Whoever gets it asks it.

        Args:
            score: Of the judgement that may be unclear.
        """
        with self._lock:
            if score.stop or score.confidence >= self._sure or self._since < self._turns:
                return None
            self._since = 0
            return QUESTION
