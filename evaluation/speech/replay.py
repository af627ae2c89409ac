"""Clips played into an ear, in real time or as fast as it hears."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from evaluation.speech.clip import Clip
from evaluation.speech.hearings import Hearing, Said
from reachy_agent_ros.audio.samples import SAMPLE_RATE

PIECE = SAMPLE_RATE // 50
"""Samples that a microphone delivers at once: 20 ms."""

BEFORE, AFTER = 0.5, 1.5
"""Silence around a clip, s: the ear must find its ends."""


@dataclass(frozen=True)
class Turn:
    """A text that was heard.

    Attributes:
        at: Seconds after the clip's first sample was recorded; only in real time.
        text: What was heard.
    """

    at: float
    text: str


def replay(hearing: Hearing, clip: Clip, *, real_time: bool) -> list[Turn]:
    """Plays one clip. Returns the turns that were taken, in their order; one that was replaced is none."""
    turns: dict[Hashable, Turn] = {}
    begin = time.monotonic()

    def note(said: Said) -> None:
        turns.pop(said.replaces, None)
        turns[said.key] = Turn(time.monotonic() - begin, said.text)

    ear = hearing.ear(note)
    for start in range(0, clip.samples.size, PIECE):
        # A microphone gives a sample when it has been spoken, not before.
        ahead = begin + (start + PIECE) / SAMPLE_RATE - time.monotonic()
        if real_time and ahead > 0.0:
            time.sleep(ahead)
        ear.hear(clip.samples[start : start + PIECE])
    ear.close()
    return list(turns.values())


def delays(hearing: Hearing, clips: Iterable[Clip]) -> list[float]:
    """Seconds from the true end of speech to its text, of the clips that gave one turn, and that after their end."""
    found = []
    for clip in clips:
        padded = clip.padded(BEFORE, AFTER)
        turns = replay(hearing, padded, real_time=True)
        if len(turns) == 1 and turns[0].at > padded.speech_end:
            found.append(turns[0].at - padded.speech_end)
    return found


def turns_of(hearing: Hearing, clips: Iterable[Clip]) -> list[int]:
    """How many turns each clip was taken for."""
    return [len(replay(hearing, clip.padded(BEFORE, AFTER), real_time=False)) for clip in clips]
