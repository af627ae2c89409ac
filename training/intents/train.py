"""Trains the classifier of intents, and writes the file that the robot loads.

Run from the repository: `python -m training.intents.train FILE.npz`. It prints the file's SHA-256. With `--validate`,
it keeps the sentences of about a fifth of the authors for a test, prints the figures, and writes nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from reachy_agent_ros.core.multilingual_embedding import MultilingualEmbedder
from reachy_agent_ros.nlu.templates.intent_classifier import BUCKETS, NONE, features_of
from training.intents.sentences import TEMPLATES, Labeled, labeled

STEPS = 200
RATE = 0.02
PENALTY = 2e-5
DROPOUT = 0.2
"""Share of the features that a step ignores."""

_BATCH = 64


def main() -> None:
    """Trains on all sentences, or, for validation, on a part of the sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--validate", action="store_true", help="test on the sentences of about a fifth of the authors")
    arguments = parser.parse_args()
    sentences = labeled()
    vectors = _vectors([one.text for one in sentences])
    intents = sorted({one.intent for one in sentences})
    if arguments.validate:
        kept = np.array([one.author != TEMPLATES and zlib.crc32(one.author.encode()) % 5 == 0 for one in sentences])
        model = _fit(sentences, vectors, intents, ~kept)
        _report(model, sentences, vectors, intents, kept)
        return
    weights = _fit(sentences, vectors, intents, np.ones(len(sentences), bool))
    meaning, sequence, bias = (tensor.detach().numpy().astype(np.float16) for tensor in weights)
    np.savez_compressed(arguments.file, intents=intents, meaning=meaning, sequence=sequence, bias=bias)
    print(f"{len(sentences)} sentences, {hashlib.sha256(arguments.file.read_bytes()).hexdigest()}")


def _vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    embedder = MultilingualEmbedder()
    return np.concatenate([embedder.embed(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)])


def _sparse(sentences: Sequence[Labeled]) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the concatenated buckets of all sentences, and the offset of each sentence."""
    features = [features_of(one.masked) for one in sentences]
    starts = np.cumsum([0, *(len(one) for one in features[:-1])])
    return torch.from_numpy(np.concatenate(features)), torch.from_numpy(starts)


Weights = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def _fit(
    sentences: Sequence[Labeled], vectors: NDArray[np.float32], intents: Sequence[str], used: NDArray[np.bool_]
) -> Weights:
    torch.manual_seed(0)
    chosen = [one for one, use in zip(sentences, used, strict=True) if use]
    wanted = torch.tensor([intents.index(one.intent) for one in chosen])
    inputs = torch.from_numpy(vectors[used])
    buckets, starts = _sparse(chosen)
    meaning = torch.zeros(inputs.shape[1], len(intents), requires_grad=True)
    sequence = torch.zeros(BUCKETS, len(intents), requires_grad=True)
    bias = torch.zeros(len(intents), requires_grad=True)
    optimizer = torch.optim.Adam([meaning, sequence, bias], lr=RATE)
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1.0 - step / STEPS)
        kept = (torch.rand(len(buckets)) > DROPOUT).float() / (1.0 - DROPOUT)
        seen = torch.nn.functional.dropout(inputs, DROPOUT) @ meaning
        words = torch.nn.functional.embedding_bag(buckets, sequence, starts, mode="sum", per_sample_weights=kept)
        loss = torch.nn.functional.cross_entropy(seen + words + bias, wanted, label_smoothing=0.02)
        loss = loss + PENALTY * ((meaning**2).sum() + (sequence**2).sum())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return meaning, sequence, bias


def _report(
    weights: Weights,
    sentences: Sequence[Labeled],
    vectors: NDArray[np.float32],
    intents: Sequence[str],
    kept: NDArray[np.bool_],
) -> None:
    tested = [one for one, keep in zip(sentences, kept, strict=True) if keep]
    buckets, starts = _sparse(tested)
    meaning, sequence, bias = (tensor.detach() for tensor in weights)
    scores = torch.from_numpy(vectors[kept]) @ meaning
    scores += torch.nn.functional.embedding_bag(buckets, sequence, starts, mode="sum") + bias
    probabilities = torch.softmax(scores, 1).numpy()
    best = probabilities.argmax(axis=1)
    likely = probabilities.max(axis=1)
    none = intents.index(NONE)
    labels = np.array([intents.index(one.intent) for one in tested])
    for language in sorted({one.language for one in tested}):
        mine = np.array([one.language == language for one in tested])
        for least in (0.0, 0.5, 0.7, 0.8, 0.9):
            acts = mine & (best != none) & (likely >= least)
            commands = mine & (labels != none)
            right = acts & (best == labels)
            wrong = acts & (labels == none)
            print(
                f"{language} p>={least}: {right.sum() / max(1, commands.sum()):.1%} of {commands.sum()} commands, "
                f"{right.sum() / max(1, acts.sum()):.1%} right when it acts, "
                f"{wrong.sum()} of {(mine & (labels == none)).sum()} others acted on"
            )


if __name__ == "__main__":
    main()
