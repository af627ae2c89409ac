"""Score of a person's words as a reward: sign, rating, and the axes along which to correct the next act."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Protocol

CONCLUSIVE = 0.15
"""Size of a rating from which it is praise or criticism (labelling guide)."""


class Axis(StrEnum):
    """The corrective direction: "too far down" is `PITCH_UP`. Left and right are the words that were said."""

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
    """Mirror of `Reward`."""

    NEGATIVE = -1
    NEUTRAL = 0
    POSITIVE = 1


def sign_of(rating: float) -> Sign:
    """What a rating, -1..1, says."""
    return Sign.NEUTRAL if abs(rating) < CONCLUSIVE else Sign.POSITIVE if rating > 0.0 else Sign.NEGATIVE


@dataclass(frozen=True)
class Score:
    """How the robot's policy should value what it did just before this was said.

    Attributes:
        sign: Whether it was good, bad, or nothing was said about it.
        rating: -1..1.
        confidence: Probability, 0..1, that the sign is right.
        axes: What to change the next time, the surest first.
        stop: Whether the robot must stop now.
    """

    sign: Sign
    rating: float
    confidence: float
    axes: tuple[Axis, ...] = ()
    stop: bool = False


class Scorer(Protocol):
    """What turns words into a score. Any thread may use it."""

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        """Scores one utterance.

        Args:
            text: As it was said or typed, of any length.
            act: The skill or tool that it is about, empty where that is not known.
            person: Who said it, likewise.
        """
        ...
