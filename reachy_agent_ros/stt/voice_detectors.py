"""Voice activity detectors for frames of 32 ms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
import webrtcvad

from reachy_agent_ros.audio.samples import FULL_SCALE, SAMPLE_RATE, Samples
from reachy_agent_ros.core.onnx_session import onnx_session
from reachy_agent_ros.core.weights import PackagedWeights

FRAME = 512
"""Number of samples in a frame."""

FRAME_SECONDS = FRAME / SAMPLE_RATE

SILERO = PackagedWeights(
    package="silero_vad",
    folder="data",
    sha256={"silero_vad.onnx": "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3"},
)
"""Silero VAD 6 (MIT). The package would import torch; its ONNX file needs only onnxruntime."""

CONTEXT = 64
"""Number of samples of the previous frame that the network needs again."""

STEP = 160
"""Number of samples per step of WebRTC's detector: 10 ms, its shortest step."""

STRICTEST = 3
"""Mode of WebRTC's detector, 0 to 3, with the fewest false positives."""


class VoiceDetector(Protocol):
    """Protocol of voice detectors. A detector may have state, so call `reset` before each stream."""

    def reset(self) -> None:
        """Resets the state before a new stream."""
        ...

    def probability(self, frame: Samples) -> float:
        """Returns the probability (0 to 1) that the next `FRAME` samples of the 16 kHz mono stream are speech."""
        ...


class Silero:
    """Silero voice activity detector, a recurrent network that runs in one thread.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the weights are missing or do not match the pinned checksums.
    """

    def __init__(self) -> None:
        self._session = onnx_session(str(SILERO.verified() / "silero_vad.onnx"))
        self._rate = np.array(SAMPLE_RATE, np.int64)
        self.reset()

    def reset(self) -> None:
        """Resets the state before a new stream."""
        self._state = np.zeros((2, 1, 128), np.float32)
        self._context = np.zeros(CONTEXT, np.float32)

    def probability(self, frame: Samples) -> float:
        """Returns the probability (0 to 1) that the next 512 samples of the stream are speech."""
        audio = np.concatenate([self._context, frame / np.float32(FULL_SCALE)])
        self._context = audio[-CONTEXT:]
        inputs = {"input": audio[None], "state": self._state, "sr": self._rate}
        probability, self._state = self._session.run(None, inputs)
        return float(probability[0, 0])


class WebRtc:
    """WebRTC voice activity detector: Gaussian mixtures over six bands. Needs 1/30 of Silero's processor time.

    The detector uses the spectrum but not its changes over time, so it mistakes motors for voices. It is suitable for a
    quiet place if there is not enough CPU time for Silero.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Resets the state before a new stream."""
        self._detector = webrtcvad.Vad(STRICTEST)
        self._pending = np.zeros(0, np.int16)

    def probability(self, frame: Samples) -> float:
        """Returns the fraction (0 to 1) of speech among the detector steps that end in this frame."""
        pending = np.concatenate([self._pending, frame])
        steps = pending.size // STEP
        self._pending = pending[steps * STEP :]
        voiced = [
            self._detector.is_speech(step.astype("<i2").tobytes(), SAMPLE_RATE)
            for step in pending[: steps * STEP].reshape(steps, STEP)
        ]
        return float(np.mean(voiced))


VOICE_DETECTORS: Mapping[str, Callable[[], VoiceDetector]] = {"silero": Silero, "webrtc": WebRtc}
"""Voice detectors by name. Silero is the default; docs/concepts/speech.md compares them near motors."""
