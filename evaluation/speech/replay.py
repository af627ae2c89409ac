"""Replay of clips into a recognizer, in real time or faster."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from evaluation.speech.clip import Clip
from evaluation.speech.hearings import Hearing, Said
from reachy_agent_ros.audio.samples import SAMPLE_RATE

PIECE = SAMPLE_RATE // 50
"""Number of samples delivered at once: 20 ms."""

BEFORE, AFTER = 0.5, 1.5
"""Silence before and after a clip, s, so that its ends must be detected."""


@dataclass(frozen=True)
class Turn:
    """Recognized turn.

    Attributes:
        at: Time since the first sample of the clip, s; only in real time.
        text: Transcription.
    """

    at: float
    text: str


def replay(hearing: Hearing, clip: Clip, *, real_time: bool) -> list[Turn]:
    """Plays a clip. Returns the recognized turns in order, without turns that were replaced later."""
    turns: dict[Hashable, Turn] = {}
    begin = time.monotonic()

    def note(said: Said) -> None:
        turns.pop(said.replaces, None)
        turns[said.key] = Turn(time.monotonic() - begin, said.text)

    ear = hearing.ear(note)
    for start in range(0, clip.samples.size, PIECE):
        # A microphone delivers a sample after it was spoken.
        ahead = begin + (start + PIECE) / SAMPLE_RATE - time.monotonic()
        if real_time and ahead > 0.0:
            time.sleep(ahead)
        ear.hear(clip.samples[start : start + PIECE])
    ear.close()
    return list(turns.values())


def delays(hearing: Hearing, clips: Iterable[Clip]) -> list[float]:
    """Returns the times (s) from the true end of speech to the recognized text.

    Only clips with exactly one turn, recognized after the end of their speech, are counted.
    """
    found = []
    for clip in clips:
        padded = clip.padded(BEFORE, AFTER)
        turns = replay(hearing, padded, real_time=True)
        if len(turns) == 1 and turns[0].at > padded.speech_end:
            found.append(turns[0].at - padded.speech_end)
    return found


def turns_of(hearing: Hearing, clips: Iterable[Clip]) -> list[int]:
    """Returns the number of recognized turns of each clip."""
    return [len(replay(hearing, clip.padded(BEFORE, AFTER), real_time=False)) for clip in clips]
