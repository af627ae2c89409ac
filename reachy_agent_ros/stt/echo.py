"""What is heard beyond the robot's own voice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.stt.voice_detectors import FRAME

HOP = 256
WINDOW = 2 * HOP
"""Samples: spectra of 32 ms, every 16 ms."""

BANDS = 20
LOWEST, HIGHEST = 150.0, 7000.0
"""Hz: bands of equal width in mel, over what small loudspeakers give out."""

REVERBERATION = 0.7
"""Power a room keeps from hop to hop: a decay of 60 dB in 0.6 s."""

MARGIN = 8.0
"""How far the prediction is off at most, as a power: 9 dB. What is louder is somebody else."""

LOUDEST_GAIN = 10.0
"""dB. Of loudspeaker, room and microphone before they are known: all that is heard counts as the robot's own."""

LEARNING, DOUBTING = 0.02, 0.002
"""Part of its error by which the gain moves at a hop; the second while somebody else is heard, to not learn them."""

SOMEBODY = 0.3
"""Part of the power beyond the prediction from which on that is so."""

LEAK = 0.1
"""Part of the power beyond the prediction, below which that is mostly the prediction's own error: the less it is, the
softer it is made. A voice detector goes by the shape of a sound, and hears speech in the faintest rest of it."""

LEAST_POWER = 1000.0
"""Squared sample units in a band of the robot's voice, below which there is nothing to learn from."""

DIRECT = 0.4
"""Part of the predicted power that must be new sound and not reverberation, of which only the decay is guessed."""

MOST_ABOVE, MOST_BELOW = 6.0, -20.0
"""dB. Larger errors are cut to these: they are not the room's."""

_LAGS = 32
"""Delays considered, in hops: half a second of buffers, air and drivers."""

MEMORY = 0.997
"""Of the correlation from hop to hop: it is that of the last five seconds."""

HYSTERESIS = 1.2
"""How much better another delay must explain the sound before it is believed."""

FLOOR = 100.0
"""Power in squared sample units below which a band counts as silent, so that digital silence has no onsets."""

STEEPEST = 20.0
"""dB. A louder onset counts no more than this."""


@dataclass(frozen=True)
class Residual:
    """A frame without the robot's own voice.

    Attributes:
        samples: `FRAME` of them, 16 ms late; unchanged while the robot is silent.
        excess: Part, 0..1, of the heard power that the robot's own voice does not explain.
    """

    samples: Samples
    excess: float


class EchoSuppressor:
    """Predicts the power of the robot's voice in the microphone and takes it away.

    The prediction needs no phases: per bin, the power of what was said, delayed, smeared by the room and times a gain
    that is learnt per band. So neither the drift between two sound cards nor a moving head upsets it, as they do
    adaptive filters. (C. Faller and J. Chen, "Suppressing acoustic echo in a spectral envelope space", 2005.)
    """

    def __init__(self) -> None:
        self._window = np.sqrt(np.hanning(WINDOW + 1)[:-1])
        self._bank = _mel_bank()
        self._centres = self._bank @ np.arange(HOP + 1)
        self._delay = _EchoDelay(BANDS)
        self._gain = np.full(BANDS, LOUDEST_GAIN)
        self.restart()

    def restart(self) -> None:
        """Forgets what was said and heard last, but not the room: what comes next does not follow it."""
        self._direct = np.zeros((_LAGS + 2, HOP + 1))
        self._smeared = np.zeros((_LAGS + 2, HOP + 1))
        self._before = np.zeros((2, HOP))
        self._tail = np.zeros(HOP)

    def suppress(self, heard: Samples, said: Samples) -> Residual:
        """Takes the next `FRAME` samples of the microphone and of the robot's voice at that time, both 16 kHz."""
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
        # The loudest of a hop more and a hop less: the true delay lies between hops, and the estimate may be one off.
        source = self._smeared[around].max(axis=0)
        gain = np.interp(np.arange(HOP + 1), self._centres, self._gain)
        echo = source * 10.0 ** (gain / 10.0)
        mask = np.sqrt(np.clip(1.0 - MARGIN * echo / heard, 0.0, 1.0))
        excess = float(np.sum(mask**2 * heard) / np.sum(heard))
        self._learn(heard, source, self._direct[around].max(axis=0), excess)
        sound = min(1.0, excess / LEAK) * np.fft.irfft(mask * spectra[1]) * self._window
        complete, self._tail = self._tail + sound[:HOP], sound[HOP:]
        return complete, excess

    def _follow(self, said: NDArray[np.float64], heard: NDArray[np.float64]) -> slice:
        """Notes one hop's powers, shape [HOP + 1] each. Returns which of the last hops are heard in it."""
        if self._delay.update(self._bank @ said, self._bank @ heard):
            self._gain[:] = LOUDEST_GAIN
        smeared = said + REVERBERATION * self._smeared[0]
        self._direct = np.concatenate([said[None], self._direct[:-1]])
        self._smeared = np.concatenate([smeared[None], self._smeared[:-1]])
        return slice(max(0, self._delay.hops - 1), self._delay.hops + 2)

    def _learn(
        self, heard: NDArray[np.float64], source: NDArray[np.float64], direct: NDArray[np.float64], excess: float
    ) -> None:
        """Moves the gains towards what explains one hop."""
        source = self._bank @ source
        expected = source * 10.0 ** (self._gain / 10.0)
        error = 10.0 * np.log10((self._bank @ heard) / (expected + 1e-9))
        rate = np.where((error > 0.0) & (excess > SOMEBODY), DOUBTING, LEARNING)
        step = np.minimum(rate * np.clip(error, MOST_BELOW, MOST_ABOVE), LOUDEST_GAIN - self._gain)
        teaches = (source > LEAST_POWER) & (self._bank @ direct > DIRECT * source)
        self._gain += np.where(teaches, step, 0.0)


def _mel_bank() -> NDArray[np.float64]:
    """Triangular filters of unit sum, shape [BANDS, HOP + 1]."""
    mel = np.linspace(_mel(LOWEST), _mel(HIGHEST), BANDS + 2)
    edges = 700.0 * (10.0 ** (mel / 2595.0) - 1.0)
    low, centre, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    frequency = np.fft.rfftfreq(WINDOW, 1.0 / SAMPLE_RATE)
    filters = np.clip(np.minimum((frequency - low) / (centre - low), (high - frequency) / (high - centre)), 0.0, None)
    return np.asarray(filters / filters.sum(axis=1, keepdims=True))


def _mel(frequency: float) -> float:
    return float(2595.0 * np.log10(1.0 + frequency / 700.0))


class _EchoDelay:
    """Correlates the onsets in the bands of what is said with those of what is heard.

    Onsets, because a room smears how long a sound lasts but not when it begins.

    Attributes:
        hops: The delay.

    Args:
        bands: Number of bands.
    """

    def __init__(self, bands: int) -> None:
        self.hops = 0
        self._said = np.zeros((_LAGS, bands))
        self._correlation = np.zeros(_LAGS)
        self._levels = np.full((2, bands), 10.0 * np.log10(FLOOR))

    def update(self, said: NDArray[np.float64], heard: NDArray[np.float64]) -> bool:
        """Takes one hop's band powers, shape [bands] each. Returns whether the delay is now a quite different one."""
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
