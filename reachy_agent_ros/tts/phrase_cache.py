"""Short phrases that were said lately, ready to be said again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.tts.voice import Piece, Voice

LONGEST_PHRASE = 3.0
"""Seconds of sound: what is longer is seldom said twice."""

MOST_SOUND = 60.0
"""Seconds of sound that are kept; what was not said for the longest time goes first."""


class PhraseCache:
    """A voice that makes the sound of a short phrase once: "Yes?" and "Okay." then cost nothing.

    Args:
        voice: Makes what is not there.
    """

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._kept: OrderedDict[tuple[str, float], Samples] = OrderedDict()

    @property
    def name(self) -> str:
        """The voice's."""
        return self._voice.name

    @property
    def language(self) -> str:
        """The voice's."""
        return self._voice.language

    @property
    def sample_rate(self) -> int:
        """Hz."""
        return self._voice.sample_rate

    @property
    def seconds(self) -> float:
        """Of sound that are kept."""
        return sum(samples.size for samples in self._kept.values()) / self.sample_rate

    def pieces(self, text: str, speed: float = 1.0) -> Iterator[Piece]:
        """The sound of `text`: in one piece if it is kept, else as the voice makes it.

        Raises:
            AgentError: As the voice does.
        """
        key = (text, speed)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            yield Piece(kept)
            return
        made: list[Samples] = []
        for piece in self._voice.pieces(text, speed):
            made.append(piece.samples)
            yield piece
        self._keep(key, np.concatenate(made))  # not reached where the phrase was broken off

    def _keep(self, key: tuple[str, float], samples: Samples) -> None:
        if samples.size > LONGEST_PHRASE * self.sample_rate:
            return
        self._kept[key] = samples
        while self.seconds > MOST_SOUND:
            self._kept.popitem(last=False)
