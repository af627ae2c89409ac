"""Questions to a person: when to ask whether an act was good, and what the yes or no is worth."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import replace

from reachy_agent_ros.learning.feedback.credit import Reward
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource
from reachy_agent_ros.learning.score import Score
from reachy_agent_ros.nlu.stop.emergency_stop_detector import is_urgent_stop

SURE = 0.6
"""Confidence from which nobody is asked."""

TURNS = 5
"""At most one question in so many turns."""

QUESTION = "Did you like that?"

LIKED = 0.7
"""What a yes to "Did you like that?" is worth: plain approval (labelling guide)."""

DISLIKED = -0.5
"""What a no is worth: plain disapproval."""

PATIENCE = 30.0
"""s in which what is said may be the answer."""


class QuestionRule:
    """When to ask: where the words left it open, and not again within five turns. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: uuid.UUID | None = None
        self._since = TURNS

    def note_turn(self, turn_id: uuid.UUID) -> None:
        """Notes that a turn is under way; the same one counts once."""
        with self._lock:
            if turn_id != self._latest:
                self._latest = turn_id
                self._since += 1

    def question(self, score: Score) -> str | None:
        """The question to ask now; None for none. The caller asks it.

        Args:
            score: Of the judgement that may be unclear.
        """
        with self._lock:
            if score.stop or score.confidence >= SURE or self._since < TURNS:
                return None
            self._since = 0
            return QUESTION


class Inquiry:
    """Waits for the answer to one question. Any thread may use it.

    The answer becomes a rating of the words that were unclear, for the act that they were about: so those words are
    understood the next time.

    Args:
        read: Whether a sentence is a yes or a no; None where it is neither.
    """

    def __init__(self, read: Callable[[str], bool | None]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._open: tuple[FeedbackEvent, uuid.UUID | None, float] | None = None

    def ask(self, judgement: FeedbackEvent, reward: Reward, now: float) -> None:
        """Notes that a person is asked what they meant; an older question is forgotten.

        Args:
            judgement: The one that was unclear.
            reward: What was made of it.
            now: s since the epoch.
        """
        with self._lock:
            self._open = (judgement, reward.act.turn_id, now + PATIENCE)

    def answer(self, text: str, now: float) -> FeedbackEvent | None:
        """What an answer says of the act that was asked about; it is one only once.

        Args:
            text: What somebody said.
            now: When they did, s since the epoch.

        Returns:
            None where nothing was asked, or this is neither yes nor no; "no, stop!" is a stop.
        """
        if is_urgent_stop(text):
            return None
        with self._lock:
            if self._open is None:
                return None
            judgement, turn_id, closes = self._open
            liked = self._read(text) if now <= closes else None
            if liked is None:
                return None
            self._open = None
        return replace(
            judgement,
            feedback_id=uuid.uuid4(),
            source=FeedbackSource.RATING,
            turn_id=turn_id,
            rating=LIKED if liked else DISLIKED,
        )
