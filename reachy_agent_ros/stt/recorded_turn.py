"""End of turn in recordings: whether the speaker has finished when the recording ends."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.endpointer import Endpointer, Endpointing
from reachy_agent_ros.stt.recognizer import Recognizer
from reachy_agent_ros.stt.turn_end import TurnEnd
from reachy_agent_ros.stt.voice_detectors import FRAME, VoiceDetector

LONGEST = 600.0
"""Maximum length of a recording, s."""

PAUSE_FRAMES = 4
"""Frames of silence after the last speech that are judged, as the draft transcript of live speech includes them."""


class RecordedTurn:
    """Reader of recordings, which judges the last utterance of each.

    Args:
        detector: Voice detector.
        recognizer: Speech recognizer.
        turn_end: Estimate of the end of turn.
    """

    def __init__(self, detector: VoiceDetector, recognizer: Recognizer, turn_end: TurnEnd) -> None:
        self._detector = detector
        self._recognizer = recognizer
        self._turn_end = turn_end

    def probability(self, file: Path) -> float:
        """Returns the probability that the speaker has finished, 0 to 1, by the words and the sound before the end.

        Args:
            file: Sound file of at most `LONGEST` seconds.

        Raises:
            AgentError: `AUDIO_UNAVAILABLE`, `AUDIO_UNSUPPORTED` or `NO_SPEECH`, with the reason.
        """
        heard = self._up_to_last_pause(read_sound(file, LONGEST))
        if heard.size == 0:
            raise AgentError(ErrorCode.NO_SPEECH, f"{file} contains no speech.")
        recognition = self._recognizer.recognize(heard)
        if recognition.rejection:
            raise AgentError(ErrorCode.NO_SPEECH, f"{file} contains no credible speech: {recognition.text!r:.80}.")
        return self._turn_end.probability(recognition.text, heard)

    def _up_to_last_pause(self, samples: Samples) -> Samples:
        """Returns the sound up to the start of the silence at the end; empty if there is no speech."""
        frames = np.pad(samples, (0, -samples.size % FRAME + PAUSE_FRAMES * FRAME)).reshape(-1, FRAME)
        endpointer = Endpointer(Endpointing(hangover=len(frames), longest=len(frames) + 1))
        self._detector.reset()
        end = 0
        for number, frame in enumerate(frames, PAUSE_FRAMES + 1):
            endpointer.push(frame, self._detector.probability(frame))
            if endpointer.in_utterance and endpointer.silence == 0.0:
                end = number
        return frames[:end].reshape(-1)[-int(self._recognizer.longest * SAMPLE_RATE) :]
