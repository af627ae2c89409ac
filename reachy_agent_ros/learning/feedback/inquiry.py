"""The question that a person was asked last, and what their yes or no is worth."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import replace

from reachy_agent_ros.learning.feedback.reward import Reward
from reachy_agent_ros.learning.judgement import Judgement, Source
from reachy_agent_ros.nlu.stop.stop_net import is_urgent_stop

LIKED = 0.7
"""What a yes to "Did you like that?" is worth: plain approval (labelling guide)."""

DISLIKED = -0.5
"""What a no is worth: plain disapproval."""

PATIENCE = 30.0
"""s in which what is said may be the answer."""


class Inquiry:
    """Waits for the answer to one question. For several threads.

    The answer becomes a rating of the words that were unclear, for the act that they were about: so those words are
    understood the next time.

    Args:
        read: Whether a sentence is a yes or a no; None where it is neither.
    """

    def __init__(self, read: Callable[[str], bool | None]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._open: tuple[Judgement, uuid.UUID | None, float] | None = None

    def ask(self, judgement: Judgement, reward: Reward, now: float) -> None:
        """Notes that a person is asked what they meant; an older question is forgotten.

        Args:
            judgement: The one that was unclear.
            reward: What was made of it.
            now: s since the epoch.
        """
        with self._lock:
            self._open = (judgement, reward.act.turn_id, now + PATIENCE)

    def answer(self, text: str, now: float) -> Judgement | None:
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
            source=Source.RATING,
            turn_id=turn_id,
            rating=LIKED if liked else DISLIKED,
        )
