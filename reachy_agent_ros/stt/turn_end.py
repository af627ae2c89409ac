"""End of turn: how much silence ends a turn, by the words and the sound before the silence.

A complete command ends after a short silence. After an unfinished sentence, the speaker has more time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.errors import AgentError

_LARGEST_LOG_ODDS = 6.0
"""Limit of the log odds of a cue, so that no cue outweighs everything else."""


class TurnSound(Protocol):
    """Protocol of estimates by the sound."""

    def probability(self, samples: Samples) -> float:
        """Returns the probability that the speaker of 16 kHz mono speech has finished, 0 to 1."""
        ...


@dataclass(frozen=True)
class TurnWeights:
    """Logistic regression of the end of a turn. `training/turn/weights.py` fits it to pauses of people.

    Attributes:
        bias: Log odds of an end without silence if the cues are undecided.
        text: Weight of the log odds of the text.
        sound: Weight of the log odds of the sound; 0 without it.
        silence: Weight of the silence, 1/s.
    """

    bias: float
    text: float
    sound: float
    silence: float

    def log_odds(self, text: float, sound: float, silence: float) -> float:
        """Returns the log odds that the turn is over.

        Args:
            text: Probability by the text, 0 to 1.
            sound: Probability by the sound, 0 to 1.
            silence: Silence since the last speech, s.
        """
        return self.bias + self.text * log_odds_of(text) + self.sound * log_odds_of(sound) + self.silence * silence

    def silence_needed(self, text: float, sound: float) -> float:
        """Returns the silence (s) from which an end is more probable than not; it may be negative."""
        return -self.log_odds(text, sound, 0.0) / self.silence


WITHOUT_SOUND = TurnWeights(bias=-1.74, text=0.31, sound=0.0, silence=3.45)

WITH_SOUND = TurnWeights(bias=-1.79, text=0.3, sound=0.18, silence=3.45)

UNDECIDED = 0.5
"""Probability of a cue that tells neither."""


class TurnEnd:
    """Estimate of the end of a turn.

    Args:
        completeness: Function that returns the probability that a text is complete, 0 to 1. It raises an `AgentError`
            for a text without words.
        sound: Estimate by the sound; None if there is none.
    """

    def __init__(self, completeness: Callable[[str], float], sound: TurnSound | None) -> None:
        self._completeness = completeness
        self._sound = sound

    def silence_needed(self, text: str, samples: Samples) -> float | None:
        """Returns the silence from which an end is more probable than not, s; None if the text has no words.

        The result may be negative.

        Args:
            text: Transcript up to the silence.
            samples: 16 kHz mono speech up to now.
        """
        try:
            return self._weights.silence_needed(*self._cues(text, samples))
        except AgentError:
            return None

    def probability(self, text: str, samples: Samples) -> float:
        """Returns the probability that the turn is over, 0 to 1, after a silence that tells neither.

        Args:
            text: Transcript up to the silence.
            samples: 16 kHz mono speech up to now.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the text has no words.
        """
        silence = self._weights.silence_needed(UNDECIDED, UNDECIDED)
        return 1.0 / (1.0 + math.exp(-self._weights.log_odds(*self._cues(text, samples), silence)))

    @property
    def _weights(self) -> TurnWeights:
        return WITHOUT_SOUND if self._sound is None else WITH_SOUND

    def _cues(self, text: str, samples: Samples) -> tuple[float, float]:
        complete = self._completeness(text)
        return complete, UNDECIDED if self._sound is None else self._sound.probability(samples)


def log_odds_of(probability: float) -> float:
    """Returns the log odds of a probability, from -6 to 6."""
    if probability <= 0.0 or probability >= 1.0:
        return math.copysign(_LARGEST_LOG_ODDS, probability - UNDECIDED)
    odds = math.log(probability / (1.0 - probability))
    return min(max(odds, -_LARGEST_LOG_ODDS), _LARGEST_LOG_ODDS)
