"""Which of the sentences that people say to the robot are judgements of what it did."""

from __future__ import annotations

from reachy_agent_ros.learning.score import Score, Sign

CERTAIN = 0.8
"""Confidence from which a sentence that nobody called feedback is taken for a judgement."""


def is_judgement(score: Score, obeyed: bool) -> bool:
    """Whether to learn from a sentence of a conversation: what is taken for a judgement and is none teaches wrong.

    Args:
        score: Of the sentence.
        obeyed: Whether the robot took it for a command. "Look left, I said" then is one, and says nothing of the last
            act but that it is said again; only what names a direction, as in "no, further left", judges that too.
    """
    if score.sign is Sign.NEUTRAL or score.stop or score.confidence < CERTAIN:
        return False
    return bool(score.axes) or not obeyed
