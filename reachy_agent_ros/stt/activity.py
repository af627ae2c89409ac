"""What the ears do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class ActivityState(IntEnum):
    """Mirror of `SpeechActivity`'s constants."""

    IDLE = 0
    LISTENING = 1
    ENDPOINTING = 2
    TRANSCRIBING = 3
    MUTED = 4


@dataclass(frozen=True)
class Activity:
    """What the ears notice.

    Attributes:
        state: What they do.
        speech_probability: Of the last frame, 0..1.
        level_dbfs: Of the last frame, dB.
    """

    state: ActivityState
    speech_probability: float
    level_dbfs: float
