"""Reads sound files in all formats that libsndfile supports, and writes WAV files."""

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
"""Maximum number of channels; more indicates a damaged header."""

_PIECE = 1 << 14
"""Number of samples per channel that are read at a time."""


def read_sound(path: Path, longest: float = math.inf) -> Samples:
    """Reads a sound file (WAV, FLAC, Ogg or MP3) and converts it to 16 kHz mono.

    For a truncated file, returns the sound that the file still contains.

    Args:
        path: Path of the file.
        longest: Maximum length, s, because a file of a few bytes can contain hours of silence.

    Raises:
        AgentError: `AUDIO_UNAVAILABLE` if the file does not exist; `AUDIO_UNSUPPORTED` if it is not a sound file, is
            too long, has too many channels or an unsupported sample rate, or contains samples that are not finite;
            `NO_SPEECH` if it contains no samples.
    """
    if not path.is_file():
        raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, f"There is no file {path}.")
    try:
        with soundfile.SoundFile(path) as file:
            samples = _read_all(file, path, longest)
    except soundfile.LibsndfileError as error:
        raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, f"Cannot read {path} as audio: {error.error_string}") from error
    if samples.size == 0:
        raise AgentError(ErrorCode.NO_SPEECH, f"{path} contains no sound.")
    return samples


def _read_all(file: soundfile.SoundFile, path: Path, longest: float) -> Samples:
    """Reads a file in blocks, so that even an hour of stereo sound needs no more memory than the mono result."""
    if file.channels > MOST_CHANNELS:
        raise AgentError(
            ErrorCode.AUDIO_UNSUPPORTED, f"{path} has {file.channels} channels: at most {MOST_CHANNELS} are supported."
        )
    resampler = Resampler(file.samplerate, file.channels)
    pieces: list[Samples] = []
    taken = 0
    while (block := file.read(_PIECE, dtype="float32", always_2d=True)).size:  # `blocks` needs a seekable file
        taken += len(block)
        if taken > longest * file.samplerate:
            raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, f"{path} is too long: the limit is {longest:g} s.")
        if not np.isfinite(block).all():
            raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, f"{path} contains samples that are not finite.")
        pieces.append(resampler.process(from_float(block.reshape(-1))))
    return np.concatenate([*pieces, resampler.flush()]) if pieces else np.zeros(0, np.int16)


def write_wav(path: Path, samples: Samples, sample_rate: int) -> None:
    """Writes mono 16-bit samples atomically.

    Raises:
        AgentError: `STORAGE_FAILED` if the folder is missing, full or not writable.
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
        raise AgentError(ErrorCode.STORAGE_FAILED, f"Cannot write {path}: {error.strerror}.") from error
