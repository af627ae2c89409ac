"""Score of an utterance as a reward, with its sign, rating, and corrections for the next action."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Protocol

CONCLUSIVE = 0.15
"""Minimum magnitude of a rating that counts as praise or criticism (labeling guide)."""


class Axis(StrEnum):
    """Direction of a correction: "too far down" means `PITCH_UP`.

    Left and right are as the speaker says them. `Viewpoint` decides whose left and right they are.
    """

    PITCH_UP = "pitch_up"
    PITCH_DOWN = "pitch_down"
    YAW_LEFT = "yaw_left"
    YAW_RIGHT = "yaw_right"
    ROLL_LEFT = "roll_left"
    ROLL_RIGHT = "roll_right"
    SLOWER = "slower"
    FASTER = "faster"
    LOUDER = "louder"
    QUIETER = "quieter"
    BIGGER = "bigger"
    SMALLER = "smaller"
    LONGER = "longer"
    SHORTER = "shorter"
    CLOSER = "closer"
    FARTHER = "farther"
    STOP = "stop"
    UNDO = "undo"


class Sign(IntEnum):
    """Sign of a rating. Mirrors the constants of the `Reward` message."""

    NEGATIVE = -1
    NEUTRAL = 0
    POSITIVE = 1


def sign_of(rating: float) -> Sign:
    """Classifies a rating (-1 to 1) as praise, criticism or neutral."""
    return Sign.NEUTRAL if abs(rating) < CONCLUSIVE else Sign.POSITIVE if rating > 0.0 else Sign.NEGATIVE


@dataclass(frozen=True)
class Score:
    """Score of one utterance as feedback on the preceding action.

    Attributes:
        sign: Sign of the feedback: praise, criticism, or neither.
        rating: Rating, -1..1.
        confidence: Probability that the sign is right, 0..1.
        axes: Corrections for the next action.
        stop: Whether the robot must stop immediately.
    """

    sign: Sign
    rating: float
    confidence: float
    axes: tuple[Axis, ...] = ()
    stop: bool = False


class Scorer(Protocol):
    """Interface for scoring words as feedback. Implementations are thread-safe."""

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        """Scores one utterance as feedback on the preceding action.

        Args:
            text: The words as spoken or typed, of any length.
            act: The judged skill or tool; empty if unknown.
            person: Name of the speaker; empty if unknown.
        """
        ...
