"""Echo suppression: removes the robot's own voice from the microphone signal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.stt.voice_detectors import FRAME

HOP = 256
WINDOW = 2 * HOP
"""Hop and window length of the spectra, samples: 32 ms every 16 ms."""

BANDS = 20
LOWEST, HIGHEST = 150.0, 7000.0
"""Frequency range of small loudspeakers, Hz, divided into bands of equal width in mel."""

REVERBERATION = 0.7
"""Fraction of the power that remains in the room after a hop: a decay of 60 dB in 0.6 s."""

MARGIN = 8.0
"""Maximum error of the prediction as a power ratio: 9 dB. Louder sound comes from another voice."""

LOUDEST_GAIN = 10.0
"""Initial and maximum gain of loudspeaker, room and microphone, dB: at first, all sound counts as the robot's own."""

LEARNING, DOUBTING = 0.02, 0.002
"""Fractions of its error by which the gain changes per hop. The second one applies to increases while another voice is
present, so that the gain does not adapt to that voice."""

SOMEBODY = 0.3
"""Fraction of the power beyond the prediction above which another voice is assumed to be present."""

LEAK = 0.1
"""Fraction of the power beyond the prediction below which it is mostly prediction error and therefore attenuated in
proportion. Voice detectors depend on the shape of a sound and find speech in the faintest residual."""

LEAST_POWER = 1000.0
"""Minimum power of the robot's voice in a band for learning, squared sample units."""

DIRECT = 0.4
"""Minimum fraction of new sound in the predicted power for learning; for reverberation only the decay is estimated."""

MOST_ABOVE, MOST_BELOW = 6.0, -20.0
"""Limits of the error for learning, dB; larger errors are not caused by the room."""

_LAGS = 32
"""Number of delays considered, hops: 0.5 s for buffers, air and drivers."""

MEMORY = 0.997
"""Fraction of the correlation that remains after a hop: averages over 5 s."""

HYSTERESIS = 1.2
"""Factor by which the correlation of another delay must be larger to replace the present one."""

FLOOR = 100.0
"""Power below which a band counts as silent, squared sample units, so that digital silence has no onsets."""

STEEPEST = 20.0
"""Maximum weight of an onset, dB."""


@dataclass(frozen=True)
class Residual:
    """Microphone frame after removal of the robot's own voice.

    Attributes:
        samples: `FRAME` samples, delayed by 16 ms; unchanged while the robot is silent.
        excess: Fraction of the microphone's power that the robot's own voice does not explain, 0 to 1.
    """

    samples: Samples
    excess: float


class EchoSuppressor:
    """Echo suppressor. Predicts the power of the robot's voice in the microphone signal and subtracts this power.

    The prediction does not use phases: it is the power of the robot's voice per bin, delayed, smeared by the room, and
    multiplied by a gain learned per band. Therefore, unlike with adaptive filters, neither drift between two sound
    cards nor a moving head matters (C. Faller and J. Chen, "Suppressing acoustic echo in a spectral envelope space",
    2005).
    """

    def __init__(self) -> None:
        self._window = np.sqrt(np.hanning(WINDOW + 1)[:-1])
        self._bank = _mel_bank()
        self._centers = self._bank @ np.arange(HOP + 1)
        self._delay = _EchoDelay(BANDS)
        self._gain = np.full(BANDS, LOUDEST_GAIN)
        self.restart()

    def restart(self) -> None:
        """Resets the audio history before audio that does not continue the previous audio. Keeps gains and delay."""
        self._direct = np.zeros((_LAGS + 2, HOP + 1))
        self._smeared = np.zeros((_LAGS + 2, HOP + 1))
        self._before = np.zeros((2, HOP))
        self._tail = np.zeros(HOP)

    def suppress(self, heard: Samples, said: Samples) -> Residual:
        """Removes the robot's voice from the next `FRAME` microphone samples, both at 16 kHz."""
        hops = np.stack([said, heard]).astype(np.float64).reshape(2, FRAME // HOP, HOP)
        results = [self._hop(hops[:, number]) for number in range(FRAME // HOP)]
        samples = np.rint(np.clip(np.concatenate([sound for sound, _ in results]), -32768.0, 32767.0))
        return Residual(samples.astype(np.int16), float(np.mean([excess for _, excess in results])))

    def _hop(self, hop: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        spectra = np.fft.rfft(np.concatenate([self._before, hop], axis=1) * self._window)
        self._before = hop
        said, heard = np.abs(spectra) ** 2 / WINDOW
        heard += 1.0  # so that digital silence has a level
        around = self._follow(said, heard)
        # Maximum over one hop more and one less: the true delay is between hops, and the estimate may be off by one
        # hop.
        source = self._smeared[around].max(axis=0)
        gain = np.interp(np.arange(HOP + 1), self._centers, self._gain)
        echo = source * 10.0 ** (gain / 10.0)
        mask = np.sqrt(np.clip(1.0 - MARGIN * echo / heard, 0.0, 1.0))
        excess = float(np.sum(mask**2 * heard) / np.sum(heard))
        self._learn(heard, source, self._direct[around].max(axis=0), excess)
        sound = min(1.0, excess / LEAK) * np.fft.irfft(mask * spectra[1]) * self._window
        complete, self._tail = self._tail + sound[:HOP], sound[HOP:]
        return complete, excess

    def _follow(self, said: NDArray[np.float64], heard: NDArray[np.float64]) -> slice:
        """Adds the powers of a hop (shape [HOP + 1]). Returns the indices of earlier hops that may echo in `heard`."""
        if self._delay.update(self._bank @ said, self._bank @ heard):
            self._gain[:] = LOUDEST_GAIN
        smeared = said + REVERBERATION * self._smeared[0]
        self._direct = np.concatenate([said[None], self._direct[:-1]])
        self._smeared = np.concatenate([smeared[None], self._smeared[:-1]])
        return slice(max(0, self._delay.hops - 1), self._delay.hops + 2)

    def _learn(
        self, heard: NDArray[np.float64], source: NDArray[np.float64], direct: NDArray[np.float64], excess: float
    ) -> None:
        """Adapts the gain of each band to the powers of one hop."""
        source = self._bank @ source
        expected = source * 10.0 ** (self._gain / 10.0)
        error = 10.0 * np.log10((self._bank @ heard) / (expected + 1e-9))
        rate = np.where((error > 0.0) & (excess > SOMEBODY), DOUBTING, LEARNING)
        step = np.minimum(rate * np.clip(error, MOST_BELOW, MOST_ABOVE), LOUDEST_GAIN - self._gain)
        teaches = (source > LEAST_POWER) & (self._bank @ direct > DIRECT * source)
        self._gain += np.where(teaches, step, 0.0)


def _mel_bank() -> NDArray[np.float64]:
    """Returns triangular mel filters as an array of shape [BANDS, HOP + 1]. The sum of each filter is 1."""
    mel = np.linspace(_mel(LOWEST), _mel(HIGHEST), BANDS + 2)
    edges = 700.0 * (10.0 ** (mel / 2595.0) - 1.0)
    low, center, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    frequency = np.fft.rfftfreq(WINDOW, 1.0 / SAMPLE_RATE)
    filters = np.clip(np.minimum((frequency - low) / (center - low), (high - frequency) / (high - center)), 0.0, None)
    return np.asarray(filters / filters.sum(axis=1, keepdims=True))


def _mel(frequency: float) -> float:
    return float(2595.0 * np.log10(1.0 + frequency / 700.0))


class _EchoDelay:
    """Estimates the echo delay. Correlates sound onsets in the robot's voice and the microphone signal, per band.

    Onsets are used because a room smears the end of a sound but not its beginning.

    Attributes:
        hops: Delay, hops.

    Args:
        bands: Number of bands.
    """

    def __init__(self, bands: int) -> None:
        self.hops = 0
        self._said = np.zeros((_LAGS, bands))
        self._correlation = np.zeros(_LAGS)
        self._levels = np.full((2, bands), 10.0 * np.log10(FLOOR))

    def update(self, said: NDArray[np.float64], heard: NDArray[np.float64]) -> bool:
        """Adds the band powers of one hop (shape [bands]). Returns whether the delay changed by more than two hops."""
        levels = 10.0 * np.log10(np.stack([said, heard]) + FLOOR)
        onsets = np.clip(levels - self._levels, 0.0, STEEPEST)
        self._levels = levels
        self._said = np.roll(self._said, 1, axis=0)
        self._said[0] = onsets[0]
        self._correlation = MEMORY * self._correlation + self._said @ onsets[1]
        best = int(self._correlation.argmax())
        if self._correlation[best] <= HYSTERESIS * self._correlation[self.hops]:
            return False
        moved = abs(best - self.hops)
        self.hops = best
        return moved > 2
