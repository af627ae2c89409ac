"""Speech longer than one window of Whisper's, through faster-whisper's own path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from faster_whisper import WhisperModel

from reachy_agent_ros.audio.samples import FULL_SCALE, Samples


@dataclass(frozen=True)
class LongSpeech:
    """What was said in a long stretch of speech.

    Attributes:
        text: Empty where faster-whisper believes no part of it.
        average_log_probability: Natural logarithm, a token, mean over its parts by their length.
        no_speech_probability: 0..1, the same mean.
    """

    text: str
    average_log_probability: float = 0.0
    no_speech_probability: float = 1.0


def recognise_long(model: WhisperModel, samples: Samples, language: str) -> LongSpeech:
    """Recognises 16 kHz mono speech 30 s at a time, each time from the end of the last whole sentence.

    Nobody waits for it, so it may search wider and try again where it repeats itself.
    """
    # A text that it once got wrong would be carried on to the end if each part were told of the one before.
    found, _ = model.transcribe(samples / np.float32(FULL_SCALE), language=language, condition_on_previous_text=False)
    parts = list(found)
    if not parts:
        return LongSpeech("")
    lengths = [part.end - part.start for part in parts]
    return LongSpeech(
        " ".join(part.text.strip() for part in parts),
        float(np.average([part.avg_logprob for part in parts], weights=lengths)),
        float(np.average([part.no_speech_prob for part in parts], weights=lengths)),
    )
