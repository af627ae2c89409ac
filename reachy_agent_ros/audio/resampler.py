"""Sound of any rate and channel count as mono sound of another rate, piece by piece."""

from __future__ import annotations

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LOWEST_RATE, HIGHEST_RATE = 4_000, 192_000
"""Hz: below it speech is gone, above it no sound card goes."""

ZERO_CROSSINGS = 16
ROLL_OFF = 0.94
KAISER_BETA = 9.0
"""The low-pass: sinc zero crossings a side, pass band as a part of the lower Nyquist rate, about 90 dB of stop band."""

BLOCK = 8192
"""Outputs computed at a time, which bounds memory whatever the length of a piece."""


class Resampler:
    """Converts a stream by windowed-sinc interpolation with a polyphase filter bank.

    How the stream is cut into pieces does not change what comes out. (J. O. Smith, "Digital Audio Resampling";
    window: Kaiser.)

    Args:
        rate: Of the input, Hz.
        channels: Of the input, interleaved; their mean is taken.
        target: Of the output, Hz.

    Raises:
        AgentError: `AUDIO_UNSUPPORTED`: a rate beyond 4 to 192 kHz, or no channel.
    """

    def __init__(self, rate: int, channels: int = 1, target: int = SAMPLE_RATE) -> None:
        for value in (rate, target):
            if not LOWEST_RATE <= value <= HIGHEST_RATE:
                raise AgentError(
                    ErrorCode.AUDIO_UNSUPPORTED,
                    f"A sample rate of {value} Hz is not supported; {LOWEST_RATE} to {HIGHEST_RATE} Hz are.",
                )
        if channels < 1:
            raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, "Sound needs at least one channel.")
        self._channels = channels
        common = math.gcd(rate, target)
        self._up, self._down = target // common, rate // common
        self._half = math.ceil(ZERO_CROSSINGS * max(1.0, rate / target))
        self._bank = _filter_bank(self._up, self._half, min(1.0, target / rate) * ROLL_OFF)
        self._pending: NDArray[np.float32] = np.zeros(self._half - 1, np.float32)
        self._next = 0

    def process(self, samples: Samples) -> Samples:
        """Converts the next piece. The output lags by the filter's half length, a millisecond or two.

        Raises:
            AgentError: `AUDIO_UNSUPPORTED`: the piece ends in the middle of a frame.
        """
        if samples.size % self._channels:
            raise AgentError(
                ErrorCode.AUDIO_UNSUPPORTED, f"{samples.size} samples do not divide into {self._channels} channels."
            )
        mono = samples.reshape(-1, self._channels).mean(axis=1, dtype=np.float32)
        if self._up == self._down:
            return _rounded(mono)
        self._pending = np.concatenate([self._pending, mono])
        return self._drain()

    def flush(self) -> Samples:
        """Returns what the filter still holds at the end of the stream."""
        if self._up == self._down:
            return np.zeros(0, np.int16)
        self._pending = np.concatenate([self._pending, np.zeros(self._half, np.float32)])
        return self._drain()

    def _drain(self) -> Samples:
        """Outputs lie `down / up` inputs apart; `_next` counts the next one's place in 1/`up` inputs of `_pending`."""
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
    """A whole mono sound at another rate, Hz."""
    resampler = Resampler(rate, target=target)
    return np.concatenate([resampler.process(samples), resampler.flush()])


def _filter_bank(phases: int, half: int, cutoff: float) -> NDArray[np.float32]:
    """Kernels [phases, 2 * half], one for each place of an output between two inputs.

    Args:
        phases: Places an output can have between two inputs.
        half: Inputs that count on either side.
        cutoff: As a part of the input's Nyquist rate.
    """
    distance = np.arange(1 - half, half + 1) - np.arange(phases)[:, None] / phases
    window = np.i0(KAISER_BETA * np.sqrt(np.clip(1.0 - (distance / half) ** 2, 0.0, 1.0)))
    kernels = np.sinc(cutoff * distance) * window
    return np.asarray(kernels / kernels.sum(axis=1, keepdims=True), np.float32)


def _rounded(values: NDArray[np.float32]) -> Samples:
    return np.rint(np.clip(values, -32768.0, 32767.0)).astype(np.int16)
