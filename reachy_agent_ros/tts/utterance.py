"""Utterances to speak, their progress and their result."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tts.voice import Voice

SPARE = 2.0
SECONDS_PER_CHARACTER = 0.16
"""Default time limit of an utterance, s: 2 s plus twice the duration estimated from its text."""


@dataclass(frozen=True)
class Spoken:
    """Result of an utterance.

    Attributes:
        audio_duration: Duration of the played sound, s.
        first_audio: Time from acceptance to the first played sample, s; 0 if there was none.
        text: Spoken text; for an interrupted clause, an estimate from the played part of its sound.
        error: Reason why the utterance ended early; None if it did not.
    """

    audio_duration: float = 0.0
    first_audio: float = 0.0
    text: str = ""
    error: AgentError | None = None


@dataclass(frozen=True)
class SpeechProgress:
    """Progress of an utterance.

    Attributes:
        clause: Present clause.
        position: Position in the utterance's sound, s.
    """

    clause: str
    position: float


@dataclass(eq=False)
class SpeechItem:
    """Utterance to speak.

    Attributes:
        text: Text to speak, converted by `checked_text`.
        speed: Speaking rate relative to the normal rate of the voice.
        volume: Volume, 0 to 1 of full scale.
        time_allowance: Time limit from the start of the utterance, s; 0 for a default that depends on its length.
        on_progress: Callback in the playing thread, at the start of each piece of sound and every 0.2 s within it.
        on_done: Callback that is called once, in the thread that ended the utterance.
        utterance_id: ID of the goal that requested the utterance, for correlation.
        accepted: Time when the utterance was accepted, on the clock `time.monotonic()`, s.
        voice: Function that loads the voice, called in the synthesis thread because loading takes time; None for the
            voice of the speaker.
    """

    text: str
    speed: float
    volume: float
    time_allowance: float
    on_progress: Callable[[SpeechProgress], None]
    on_done: Callable[[Spoken], None]
    utterance_id: uuid.UUID = field(default_factory=uuid.uuid4)
    accepted: float = field(default_factory=time.monotonic)
    voice: Callable[[], Voice] | None = None

    def __post_init__(self) -> None:
        self.cancel = CancelToken()
        self._lock = threading.Lock()
        self._reason: AgentError | None = None

    @property
    def limit(self) -> float:
        """Time limit (s), from the start of the utterance."""
        return self.time_allowance or SPARE + SECONDS_PER_CHARACTER * len(self.text) / self.speed

    @property
    def reason(self) -> AgentError | None:
        """Error with which the utterance was stopped, or None if it was not stopped."""
        return self._reason

    def stop(self, reason: AgentError) -> None:
        """Requests the end of the utterance. Keeps only the reason of the first request."""
        with self._lock:
            self._reason = self._reason or reason
        self.cancel.cancel()
