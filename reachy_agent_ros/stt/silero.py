"""The neural voice detector."""

from __future__ import annotations

import numpy as np
import onnxruntime

from reachy_agent_ros.audio.samples import FULL_SCALE, SAMPLE_RATE, Samples
from reachy_agent_ros.core.weights import PackagedWeights

SILERO = PackagedWeights(
    package="silero_vad",
    folder="data",
    sha256={"silero_vad.onnx": "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3"},
)
"""Silero VAD 6 (MIT). The package itself would import torch; its ONNX file needs only onnxruntime."""

CONTEXT = 64
"""Samples of the frame before that the network wants to see again."""


class Silero:
    """Silero's recurrent voice detector on one thread.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: its weights are missing or not the pinned ones.
    """

    def __init__(self) -> None:
        options = onnxruntime.SessionOptions()
        # Threads of its own would spin between frames and cost more than the 0.1 ms network itself.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        path = SILERO.verified() / "silero_vad.onnx"
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
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
