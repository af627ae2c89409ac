"""Smart Turn, which estimates from the sound of speech whether the speaker has finished.

It hears intonation, lengthened syllables and breath, but not the meaning, so it is a weak cue alone.
"""

from __future__ import annotations

import numpy as np
from faster_whisper.feature_extractor import FeatureExtractor

from reachy_agent_ros.audio.samples import FULL_SCALE, SAMPLE_RATE, Samples
from reachy_agent_ros.core.onnx_session import onnx_session
from reachy_agent_ros.core.weights import PackagedWeights

SMART_TURN = PackagedWeights(
    package="pipecat",
    folder="audio/turn/smart_turn/data",
    sha256={"smart-turn-v3.2-cpu.onnx": "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f"},
)
"""Smart Turn 3.2 (BSD-2-Clause). The package would import a voice framework; its ONNX file needs only onnxruntime."""

SECONDS = 8
"""Length of the window before the pause, s."""

_WINDOW = SECONDS * SAMPLE_RATE
_LEAST_VARIANCE = 1e-7


class SmartTurn:
    """Smart Turn 3.2 in one thread: about 0.06 s of CPU time per call.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the package is missing or its file does not match the pinned checksum.
    """

    def __init__(self) -> None:
        self._session = onnx_session(str(SMART_TURN.verified() / "smart-turn-v3.2-cpu.onnx"))
        self._features = FeatureExtractor(chunk_length=SECONDS)

    def probability(self, samples: Samples) -> float:
        """Returns the probability that the speaker has finished, 0 to 1.

        Args:
            samples: 16 kHz mono speech up to the pause, of which the last `SECONDS` are used.
        """
        heard = samples[-_WINDOW:].astype(np.float32) / FULL_SCALE
        padded = np.pad(heard, (_WINDOW - heard.size, 0))
        normal = (padded - padded.mean()) / np.sqrt(padded.var() + _LEAST_VARIANCE)
        features = self._features(normal, padding=0)
        (probability,) = self._session.run(None, {"input_features": features[None].astype(np.float32)})
        return float(np.asarray(probability).reshape(-1)[0])
