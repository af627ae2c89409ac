"""The light voice detector."""

from __future__ import annotations

import numpy as np
import webrtcvad

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples

STEP = 160
"""Samples WebRTC judges at a time: 10 ms, the shortest it takes."""

STRICTEST = 3
"""Its mode that takes the least noise for speech, of 0 to 3."""


class WebRtc:
    """WebRTC's detector: Gaussian mixtures over six bands, a thirtieth of Silero's work.

    It knows speech by its spectrum and not by its course, so it takes a motor for a voice. It is for a quiet place
    without onnxruntime's processor time to spare.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forgets what was heard."""
        self._detector = webrtcvad.Vad(STRICTEST)
        self._pending = np.zeros(0, np.int16)

    def probability(self, frame: Samples) -> float:
        """Part, 0..1, of the steps completed by this frame that are speech."""
        pending = np.concatenate([self._pending, frame])
        steps = pending.size // STEP
        self._pending = pending[steps * STEP :]
        voiced = [
            self._detector.is_speech(step.astype("<i2").tobytes(), SAMPLE_RATE)
            for step in pending[: steps * STEP].reshape(steps, STEP)
        ]
        return float(np.mean(voiced))
