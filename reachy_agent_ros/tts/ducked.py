"""Sinks whose sound is lowered while somebody may be interrupting it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.tts.ducking import Ducking
from reachy_agent_ros.tts.sink import Sink

LONGEST = 1.0
"""Seconds after which a suspicion that was never decided is forgotten: the ears may have died meanwhile."""


class Ducked:
    """One sink in place of several. One thread gives it sound, any other lowers it.

    Args:
        sinks: All of them get the same sound.
        clock: Steady clock, s.
    """

    def __init__(self, sinks: Sequence[Sink], clock: Callable[[], float] = time.monotonic) -> None:
        self._sinks = sinks
        self._clock = clock
        self._lowered_until = -float("inf")
        self._ducking = Ducking()
        self._rate = 0

    def lower(self) -> None:
        """Lowers the sound from the next chunk on."""
        self._lowered_until = self._clock() + LONGEST

    def restore(self) -> None:
        """Lets it be as loud as before."""
        self._lowered_until = -float("inf")

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Prepares for an utterance."""
        self._rate = sample_rate
        self._ducking = Ducking()
        for sink in self._sinks:
            sink.start(utterance_id, sample_rate)

    def write(self, samples: Samples) -> None:
        """Gives out a chunk at the loudness it should have."""
        lowered = self._clock() < self._lowered_until
        heard, self._ducking = self._ducking.apply(samples, self._rate, lowered)
        for sink in self._sinks:
            sink.write(heard)

    def end(self, *, cancelled: bool) -> None:
        """Ends the utterance."""
        for sink in self._sinks:
            sink.end(cancelled=cancelled)
