"""Streaming resampler: converts sound of any sample rate and channel count to mono sound of another rate."""

from __future__ import annotations

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LOWEST_RATE, HIGHEST_RATE = 4_000, 192_000
"""Range of supported sample rates, Hz: lower rates lose speech, and no sound card has a higher rate."""

ZERO_CROSSINGS = 16
ROLL_OFF = 0.94
KAISER_BETA = 9.0
"""Parameters of the low-pass filter: sinc zero crossings per side, pass band as a fraction of the lower Nyquist rate,
and Kaiser beta for a stop-band attenuation of about 90 dB."""

BLOCK = 8192
"""Number of output samples computed at a time, which limits the memory for long pieces."""


class Resampler:
    """Resampler for a stream: a polyphase filter bank with windowed-sinc interpolation.

    The output does not depend on how the stream is divided into pieces. The method follows J. O. Smith, "Digital Audio
    Resampling", with a Kaiser window.

    Args:
        rate: Sample rate of the input, Hz.
        channels: Number of interleaved channels of the input, which are averaged.
        target: Sample rate of the output, Hz.

    Raises:
        AgentError: `AUDIO_UNSUPPORTED` for a rate outside 4 to 192 kHz, or for fewer than one channel.
    """

    def __init__(self, rate: int, channels: int = 1, target: int = SAMPLE_RATE) -> None:
        for value in (rate, target):
            if not LOWEST_RATE <= value <= HIGHEST_RATE:
                raise AgentError(
                    ErrorCode.AUDIO_UNSUPPORTED,
                    f"Invalid sample rate {value} Hz: expected {LOWEST_RATE} to {HIGHEST_RATE} Hz.",
                )
        if channels < 1:
            raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, "Invalid number of channels: expected at least one.")
        self._channels = channels
        common = math.gcd(rate, target)
        self._up, self._down = target // common, rate // common
        self._half = math.ceil(ZERO_CROSSINGS * max(1.0, rate / target))
        self._bank = _filter_bank(self._up, self._half, min(1.0, target / rate) * ROLL_OFF)
        self._pending: NDArray[np.float32] = np.zeros(self._half - 1, np.float32)
        self._next = 0

    def process(self, samples: Samples) -> Samples:
        """Converts the next chunk of the stream. If the rates differ, the delay is 16 samples of the lower rate.

        Raises:
            AgentError: `AUDIO_UNSUPPORTED` if the piece ends in the middle of a frame.
        """
        if samples.size % self._channels:
            raise AgentError(
                ErrorCode.AUDIO_UNSUPPORTED,
                f"Incomplete frame: {samples.size} samples cannot be divided among {self._channels} channels.",
            )
        mono = samples.reshape(-1, self._channels).mean(axis=1, dtype=np.float32)
        if self._up == self._down:
            return _rounded(mono)
        self._pending = np.concatenate([self._pending, mono])
        return self._drain()

    def flush(self) -> Samples:
        """Returns the remaining output at the end of the stream."""
        if self._up == self._down:
            return np.zeros(0, np.int16)
        self._pending = np.concatenate([self._pending, np.zeros(self._half, np.float32)])
        return self._drain()

    def _drain(self) -> Samples:
        """Computes all output samples whose input samples have arrived.

        Adjacent output samples are `down / up` input samples apart.

        `_next` is the position of the next output, in units of 1/`up` inputs.
        """
        places = self._pending.size - 2 * self._half + 1
        last = places * self._up
        outputs = max(0, -(-(last - self._next) // self._down))
        if outputs == 0:
            return np.zeros(0, np.int16)
        windows = sliding_window_view(self._pending, 2 * self._half)
        ticks = self._next + self._down * np.arange(outputs)
        result = np.empty(outputs, np.float32)
        for start in range(0, outputs, BLOCK):
            tick = ticks[start : start + BLOCK]
            block = windows[tick // self._up]
            result[start : start + BLOCK] = np.einsum("ij,ij->i", block, self._bank[tick % self._up])
        self._next = int(ticks[-1]) + self._down
        used = min(self._next // self._up, self._pending.size)
        self._next -= used * self._up
        self._pending = self._pending[used:]
        return _rounded(result)


def resample(samples: Samples, rate: int, target: int) -> Samples:
    """Converts a complete mono sound from the sample rate `rate` to the sample rate `target` (both in Hz).

    Raises:
        AgentError: `AUDIO_UNSUPPORTED` for a rate outside 4 to 192 kHz.
    """
    resampler = Resampler(rate, target=target)
    return np.concatenate([resampler.process(samples), resampler.flush()])


def _filter_bank(phases: int, half: int, cutoff: float) -> NDArray[np.float32]:
    """Computes one filter kernel for each position of an output sample between two input samples.

    Returns an array of shape [phases, 2 * half].

    Args:
        phases: Number of positions of an output between two inputs.
        half: Number of inputs used on either side.
        cutoff: Cutoff as a fraction of the input's Nyquist rate.
    """
    distance = np.arange(1 - half, half + 1) - np.arange(phases)[:, None] / phases
    window = np.i0(KAISER_BETA * np.sqrt(np.clip(1.0 - (distance / half) ** 2, 0.0, 1.0)))
    kernels = np.sinc(cutoff * distance) * window
    return np.asarray(kernels / kernels.sum(axis=1, keepdims=True), np.float32)


def _rounded(values: NDArray[np.float32]) -> Samples:
    return np.rint(np.clip(values, -32768.0, 32767.0)).astype(np.int16)
