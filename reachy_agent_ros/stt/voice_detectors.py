"""Voice activity detection: whether somebody is speaking, 31 times a second."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
import webrtcvad

from reachy_agent_ros.audio.samples import FULL_SCALE, SAMPLE_RATE, Samples
from reachy_agent_ros.core.onnx_session import onnx_session
from reachy_agent_ros.core.weights import PackagedWeights

FRAME = 512
"""Samples judged at a time."""

FRAME_SECONDS = FRAME / SAMPLE_RATE

SILERO = PackagedWeights(
    package="silero_vad",
    folder="data",
    sha256={"silero_vad.onnx": "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3"},
)
"""Silero VAD 6 (MIT). The package itself would import torch; its ONNX file needs only onnxruntime."""

CONTEXT = 64
"""Samples of the frame before that the network wants to see again."""

STEP = 160
"""Samples WebRTC judges at a time: 10 ms, the shortest it takes."""

STRICTEST = 3
"""Its mode that takes the least noise for speech, of 0 to 3."""


class VoiceDetector(Protocol):
    """Judges the frames of one stream in turn. It may remember, so each stream begins with `reset`."""

    def reset(self) -> None:
        """Forgets what was heard."""
        ...

    def probability(self, frame: Samples) -> float:
        """Probability, 0..1, that the next `FRAME` samples of the stream are speech; 16 kHz mono."""
        ...


class Silero:
    """Silero's recurrent voice detector on one thread.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: its weights are missing or not the pinned ones.
    """

    def __init__(self) -> None:
        self._session = onnx_session(str(SILERO.verified() / "silero_vad.onnx"))
        self._rate = np.array(SAMPLE_RATE, np.int64)
        self.reset()

    def reset(self) -> None:
        """Forgets what was heard."""
        self._state = np.zeros((2, 1, 128), np.float32)
        self._context = np.zeros(CONTEXT, np.float32)

    def probability(self, frame: Samples) -> float:
        """Probability, 0..1, that the next 512 samples of the stream are speech."""
        audio = np.concatenate([self._context, frame / np.float32(FULL_SCALE)])
        self._context = audio[-CONTEXT:]
        inputs = {"input": audio[None], "state": self._state, "sr": self._rate}
        probability, self._state = self._session.run(None, inputs)
        return float(probability[0, 0])


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


VOICE_DETECTORS: Mapping[str, Callable[[], VoiceDetector]] = {"silero": Silero, "webrtc": WebRtc}
"""Silero is the default; docs/speech.md compares them near motors."""
