"""One thing to say, and what became of it."""

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
"""The time an utterance gets by itself: two seconds, and twice the length that its text suggests."""


@dataclass(frozen=True)
class Spoken:
    """What became of an utterance.

    Attributes:
        audio_duration: Seconds of sound given out.
        first_audio: Seconds from acceptance to the first sample given out; 0 if there was none.
        text: What was said; of a clause cut short, the words that fit into the part of its sound that was heard.
        error: Why it ended early, None if it did not.
    """

    audio_duration: float = 0.0
    first_audio: float = 0.0
    text: str = ""
    error: AgentError | None = None


@dataclass(frozen=True)
class SpeechProgress:
    """How far an utterance is.

    Attributes:
        clause: Being said.
        position: Seconds into the utterance's sound.
    """

    clause: str
    position: float


@dataclass(eq=False)
class SpeechItem:
    """One thing to say.

    Attributes:
        text: For the ear: `speakable` has gone over it.
        speed: 1 is the voice's own.
        volume: 0..1 of full scale.
        time_allowance: Seconds from its turn to its end; 0 for what its length suggests.
        on_progress: Called at each clause and every fifth of a second, in the voice's thread.
        on_done: Called once, in the thread that ended it.
        utterance_id: Of the goal that asked for it, so that all that is said of it can be joined.
        accepted: `time.monotonic()` of its acceptance.
        voice: Finds its voice, in the thread that makes sound, as loading one takes a while; None for the speaker's.
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
        """Seconds it may take from its turn on."""
        return self.time_allowance or SPARE + SECONDS_PER_CHARACTER * len(self.text) / self.speed

    @property
    def reason(self) -> AgentError | None:
        """Why it was stopped, None while it was not."""
        return self._reason

    def stop(self, reason: AgentError) -> None:
        """Asks it to end; the first reason holds."""
        with self._lock:
            self._reason = self._reason or reason
        self.cancel.cancel()
