"""Questions about unclear feedback.

Determines when to ask whether an action was good, and how to rate the answer.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import replace

from reachy_agent_ros.learning.feedback.credit import Reward
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource
from reachy_agent_ros.learning.score import Score
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop

SURE = 0.6
"""Confidence at or above which the robot does not ask."""

TURNS = 5
"""Minimum number of turns from one question to the next."""

QUESTION = "Did you like that?"

LIKED = 0.7
"""Rating for the answer "yes" to "Did you like that?": plain approval (labeling guide)."""

DISLIKED = -0.5
"""Rating for the answer "no": plain disapproval."""

PATIENCE = 30.0
"""Time during which an utterance can be the answer to the question, s."""


class QuestionRule:
    """Decides when to ask about unclear feedback: at most once in `TURNS` turns. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: uuid.UUID | None = None
        self._since = TURNS

    def note_turn(self, turn_id: uuid.UUID) -> None:
        """Counts a conversation turn. Consecutive calls with the same identifier count as one turn."""
        with self._lock:
            if turn_id != self._latest:
                self._latest = turn_id
                self._since += 1

    def question(self, score: Score) -> str | None:
        """Returns the question that the robot should ask the person now, or None. Counts the question as asked.

        Args:
            score: Score of the judgment that may be unclear.
        """
        with self._lock:
            if score.stop or score.confidence >= SURE or self._since < TURNS:
                return None
            self._since = 0
            return QUESTION


class Inquiry:
    """Question about unclear feedback that awaits an answer. Thread-safe.

    The answer becomes a rating of the same action with the unclear words, so that the reward model learns these words.

    Args:
        read: Function that classifies a sentence as yes (True), no (False) or neither (None).
    """

    def __init__(self, read: Callable[[str], bool | None]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._open: tuple[FeedbackEvent, uuid.UUID | None, float] | None = None

    def ask(self, judgment: FeedbackEvent, reward: Reward, now: float) -> None:
        """Opens a question about unclear feedback. Replaces an earlier question.

        Args:
            judgment: The unclear judgment.
            reward: Reward computed from the judgment.
            now: Current time, s since the epoch.
        """
        with self._lock:
            self._open = (judgment, reward.act.turn_id, now + PATIENCE)

    def answer(self, text: str, now: float) -> FeedbackEvent | None:
        """Converts an answer to a judgment of the action to which the question refers. Closes the question.

        Args:
            text: The utterance.
            now: Time of the utterance, s since the epoch.

        Returns:
            The judgment, or None if no question is open, the text is neither yes nor no, or it is an urgent stop ("no,
            stop!").
        """
        if is_urgent_stop(text):
            return None
        with self._lock:
            if self._open is None:
                return None
            judgment, turn_id, closes = self._open
            liked = self._read(text) if now <= closes else None
            if liked is None:
                return None
            self._open = None
        return replace(
            judgment,
            feedback_id=uuid.uuid4(),
            source=FeedbackSource.RATING,
            turn_id=turn_id,
            rating=LIKED if liked else DISLIKED,
        )
