"""Target for sound files."""

from __future__ import annotations

import io

import numpy as np
import soundfile

from fuzz.file_target import FileTarget
from fuzz.mutation.byte_mutation import mutated_bytes
from reachy_agent_ros.audio.sound_file import read_sound

_FORMATS = (
    *(("WAV", "PCM_16", 2), ("WAV", "FLOAT", 1), ("WAV", "IMA_ADPCM", 1), ("WAV", "GSM610", 1), ("W64", "PCM_24", 2)),
    *(("FLAC", "PCM_16", 1), ("OGG", "VORBIS", 1), ("OGG", "OPUS", 1), ("MP3", "MPEG_LAYER_III", 1)),
    *(("CAF", "ALAC_16", 1), ("AIFF", "PCM_16", 1), ("AU", "ULAW", 1), ("VOC", "PCM_16", 1), ("RF64", "PCM_16", 1)),
    ("NIST", "PCM_16", 1),
)

_LONGEST = 60.0
"""Maximum duration of a sound, s, because a mutated header may announce hours."""


def sounds() -> FileTarget:
    """Returns a target that reads sound files.

    The samples last 0.1 s, and exist in every format that libsndfile can write.
    """
    tone = 0.5 * np.sin(np.arange(2400) / 10.0)
    samples = []
    for container, coding, channels in _FORMATS:
        if soundfile.check_format(container, coding):
            content = io.BytesIO()
            rate = 8000 if coding == "GSM610" else 24000
            soundfile.write(content, np.tile(tone[:, None], channels), rate, coding, format=container)
            samples.append(content.getvalue())
    return FileTarget("sound.wav", samples, mutated_bytes, lambda path: read_sound(path, _LONGEST))
