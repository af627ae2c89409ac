"""Pauses in recordings of turns, with the cues to the end of the turn at each pause."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.speech.clip import Clip
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.stt.endpointer import Endpointer, EndpointEvent, Endpointing
from reachy_agent_ros.stt.recognizer import Recognizer
from reachy_agent_ros.stt.turn_end import TurnSound
from reachy_agent_ros.stt.voice_detectors import FRAME, FRAME_SECONDS, VoiceDetector

SOUND_FILES = (".wav", ".flac", ".ogg", ".mp3")

TAIL = 3.0
"""Silence after each turn, s."""


@dataclass(frozen=True)
class Pause:
    """Pause of a speaker.

    Attributes:
        speaker: Name of the speaker.
        text: Transcript up to the pause; empty if the recognizer rejected it.
        sound: Probability by the sound that the turn is over, 0 to 1.
        seconds: Length of the silence, s; infinite at the end of the turn.
    """

    speaker: str
    text: str
    sound: float
    seconds: float

    @property
    def ends_turn(self) -> bool:
        """Whether the speaker has finished."""
        return math.isinf(self.seconds)


def turns_in(folder: Path) -> list[Clip]:
    """Returns the recordings in a folder and its subfolders. Each file is one turn.

    The name of the speaker is the name of the file up to the first hyphen, as in LibriSpeech.

    Raises:
        SystemExit: There is no recording, or one cannot be read.
    """
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in SOUND_FILES)
    if not files:
        raise SystemExit(f"{folder} contains no recording: expected files that end in {', '.join(SOUND_FILES)}.")
    try:
        return [Clip(file.stem.partition("-")[0], "", read_sound(file)) for file in files]
    except AgentError as error:
        raise SystemExit(error.message) from error


class PauseFinder:
    """Finds pauses as the endpointer does.

    Args:
        detector: Voice detector.
        recognizer: Speech recognizer.
        sound: Estimate of the end of turn by the sound.
    """

    def __init__(self, detector: VoiceDetector, recognizer: Recognizer, sound: TurnSound) -> None:
        self._detector = detector
        self._recognizer = recognizer
        self._sound = sound

    def pauses(self, clip: Clip) -> Iterator[Pause]:
        """Yields every pause within a turn, and the silence after it. Speech after `longest` seconds is ignored."""
        frames = int((clip.seconds + TAIL) / FRAME_SECONDS)
        samples = clip.padded(0.0, TAIL).samples
        endpointer = Endpointer(Endpointing(hangover=frames + 1, longest=frames + 1))
        self._detector.reset()
        found: Pause | None = None
        silence = 0.0
        for start in range(0, frames * FRAME, FRAME):
            frame = samples[start : start + FRAME]
            event = endpointer.push(frame, self._detector.probability(frame))
            if event is EndpointEvent.RESUMED and found is not None:
                yield Pause(found.speaker, found.text, found.sound, silence)
                found = None
            elif event is EndpointEvent.PAUSED and endpointer.utterance.size <= self._recognizer.longest * 16_000:
                found = self._heard(clip.speaker, endpointer)
            silence = endpointer.silence
        if found is not None:
            yield found

    def _heard(self, speaker: str, endpointer: Endpointer) -> Pause:
        recognition = self._recognizer.recognize(endpointer.utterance)
        text = "" if recognition.rejection else recognition.text
        return Pause(speaker, text, self._sound.probability(endpointer.utterance), math.inf)


def all_pauses(finder: PauseFinder, clips: Sequence[Clip]) -> list[Pause]:
    """Returns the pauses of all turns."""
    return [pause for clip in clips for pause in finder.pauses(clip)]
