"""Sound files: any that libsndfile knows are read, wav is written."""

from __future__ import annotations

import math
import wave
from pathlib import Path

import numpy as np
import soundfile

from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import Samples, from_float
from reachy_agent_ros.core.errors import AgentError, ErrorCode

MOST_CHANNELS = 32
"""More is no sound, but a header that was damaged."""

_PIECE = 1 << 14
"""Samples of each channel that are read at once."""


def read_sound(path: Path, longest: float = math.inf) -> Samples:
    """Reads a file of any width, rate and channel count (wav, flac, ogg, mp3) as 16 kHz mono.

    A file that was cut off gives the sound it still holds.

    Args:
        path: Of the file.
        longest: s that are taken; a few bytes can hold hours of silence.

    Raises:
        AgentError: `AUDIO_UNAVAILABLE`: no such file; `AUDIO_UNSUPPORTED`: not sound, not finite, or too long;
            `NO_SPEECH`: it holds no sample at all.
    """
    if not path.is_file():
        raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, f"There is no file {path}.")
    try:
        with soundfile.SoundFile(path) as file:
            samples = _read_all(file, path, longest)
    except soundfile.LibsndfileError as error:
        raise AgentError(
            ErrorCode.AUDIO_UNSUPPORTED, f"{path} cannot be read as sound: {error.error_string}"
        ) from error
    if samples.size == 0:
        raise AgentError(ErrorCode.NO_SPEECH, f"{path} holds no sound.")
    return samples


def _read_all(file: soundfile.SoundFile, path: Path, longest: float) -> Samples:
    """Piece by piece, so that an hour of stereo needs no more memory than its mono result."""
    if file.channels > MOST_CHANNELS:
        raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, f"{path} has {file.channels} channels, too many for sound.")
    resampler = Resampler(file.samplerate, file.channels)
    pieces: list[Samples] = []
    taken = 0
    while (block := file.read(_PIECE, dtype="float32", always_2d=True)).size:  # `blocks` wants a file that can seek
        taken += len(block)
        if taken > longest * file.samplerate:
            raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, f"{path} is longer than {longest:g} s.")
        if not np.isfinite(block).all():
            raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, f"{path} holds samples that are not numbers.")
        pieces.append(resampler.process(from_float(block.reshape(-1))))
    return np.concatenate([*pieces, resampler.flush()]) if pieces else np.zeros(0, np.int16)


def write_wav(path: Path, samples: Samples, sample_rate: int) -> None:
    """Writes mono 16-bit samples, whole or not at all.

    Raises:
        AgentError: `STORAGE_FAILED`: the folder is missing, full or not ours.
    """
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as stream, wave.open(stream, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(sample_rate)
            file.writeframes(samples.astype("<i2").tobytes())
        part.replace(path)
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} cannot be written: {error.strerror}.") from error
