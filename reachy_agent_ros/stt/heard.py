"""An utterance and its text."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from reachy_agent_ros.stt.recogniser import Recognition


@dataclass(frozen=True)
class Heard:
    """One utterance and its text, the plain form of `reachy_agent_msgs/Transcript`.

    Attributes:
        recognition: What the recogniser made of it.
        utterance_id: Random.
        audio_duration: Seconds, from its pre-roll to its end.
        endpoint_delay: Seconds from its last speech frame to the decision that it had ended.
        ended: Wall clock of that last speech frame, seconds since the epoch.
        stream: Where it came from.
        replaces: Id of the utterance before, which went on after a short pause and is part of this one; None if there
            is none.
    """

    recognition: Recognition
    utterance_id: uuid.UUID
    audio_duration: float
    endpoint_delay: float
    ended: float
    stream: str
    replaces: uuid.UUID | None = None
