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
        error: Reason why it ended early; None if it did not.
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
    """An utterance to speak.

    Attributes:
        text: Text after `speakable`.
        speed: Speaking rate relative to the voice's own.
        volume: Volume, 0 to 1 of full scale.
        time_allowance: Time limit from its turn, s; 0 for the default of its length.
        on_progress: Called at each clause and every 0.2 s, in the voice's thread.
        on_done: Called once, in the thread that ended it.
        utterance_id: Id of the goal that requested it, which correlates everything about it.
        accepted: Time of its acceptance by `time.monotonic()`, s.
        voice: Loads its voice, called in the synthesis thread because loading takes time; None for the speaker's.
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
        """Time limit from its turn, s."""
        return self.time_allowance or SPARE + SECONDS_PER_CHARACTER * len(self.text) / self.speed

    @property
    def reason(self) -> AgentError | None:
        """Reason for stopping it; None if it was not stopped."""
        return self._reason

    def stop(self, reason: AgentError) -> None:
        """Requests its end; only the first reason counts."""
        with self._lock:
            self._reason = self._reason or reason
        self.cancel.cancel()
