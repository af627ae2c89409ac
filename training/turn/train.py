"""Trains the completeness classifier, and writes the file that the robot loads.

Run from the repository: `python -m training.turn.train FILE.npz TEXTS`. It takes some minutes of one core and prints
the file's SHA-256. `--validate` keeps the authors in `VALIDATED` for a test and prints the figures.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from reachy_agent_ros.nlu.stop.classifier import FILE as STOP_CLASSIFIER
from reachy_agent_ros.nlu.subwords import BUCKETS, WIDTH
from training.stop.network import Words
from training.turn.endings import BROKEN_OFF, COMPLETE, UNFINISHED, UNKNOWN, Endings, LabeledWords
from training.turn.sentence import Sentence
from training.turn.sentences import VALIDATED, complete_sentences, continuations

SEED = 11
HIDDEN = 64
EPOCHS = 5
CONTINUED = 2
"""Number of epochs after `--start`: the last ones of `EPOCHS`."""

BATCH = 128
RATE = 3e-3
TABLE_RATE = 0.3
"""Learning rate of the word vectors, as a multiple of `RATE`."""

ANSWERS = 20
"""Repetitions of short answers, which are rare otherwise, while most first words of sentences are unfinished."""

LOST = 0.05
"""Share of words that a step does not see, so that no single word decides."""

ROBUST = 0.3
"""Exponent of the loss of unfinished texts. Some of these are complete by chance, and such a loss ignores outliers
(Zhang and Sabuncu, Generalized cross entropy loss for training deep neural networks with noisy labels, 2018)."""

NAMES = {UNFINISHED: "cut", COMPLETE: "complete", BROKEN_OFF: "broken off"}
"""Names of labels in the report."""


class Network(nn.Module):
    """Gated recurrent unit over word vectors.

    Args:
        words: Words of all sequences.
    """

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words
        self.table = nn.EmbeddingBag(BUCKETS, WIDTH, mode="sum", sparse=True)
        with np.load(STOP_CLASSIFIER) as file:  # its vectors contain the meanings of common words in six languages
            vectors = file["table"].astype(np.float32) * file["scale"]
        self.table.weight.data.copy_(torch.from_numpy(vectors))
        self.gru = nn.GRU(WIDTH, HIDDEN, batch_first=True)
        self.out = nn.Linear(HIDDEN, 1)

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """Returns a score for every word: the log odds that the text up to it is complete."""
        inputs = self.words.vectors(self.table, batch)
        if self.training:
            inputs = inputs * (torch.rand(batch.shape) > LOST).unsqueeze(-1)
        scores: torch.Tensor = self.out(self.gru(inputs)[0]).squeeze(-1)
        return scores


def tensors(words: Words, batch: Sequence[LabeledWords]) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the word numbers and labels of sequences, padded with zeros and `UNKNOWN`."""
    longest = max(len(one.words) for one in batch)
    numbers = np.zeros((len(batch), longest), np.int64)
    labels = np.full((len(batch), longest), UNKNOWN, np.int64)
    for row, one in enumerate(batch):
        numbers[row, : len(one.words)] = [words.number(word) for word in one.words]
        labels[row, : len(one.words)] = one.labels
    return torch.from_numpy(numbers), torch.from_numpy(labels)


def loss_of(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Returns the sum of the mean losses of complete and unfinished texts, which thus count equally."""
    complete = functional.softplus(-scores[labels == COMPLETE])
    unfinished = (1.0 - torch.exp(-ROBUST * functional.softplus(scores[labels == UNFINISHED]))) / ROBUST
    broken_off = functional.softplus(scores[labels == BROKEN_OFF])
    losses = (complete, torch.cat([unfinished, broken_off]))
    return torch.stack([loss.mean() for loss in losses if loss.numel()]).sum()


def fit(network: Network, endings: Endings, sentences: Sequence[Sentence], epochs: int, chance: random.Random) -> None:
    """Trains the network, with new endings in each epoch and a rate that falls to zero."""
    dense = [value for name, value in network.named_parameters() if not name.startswith("table")]
    optimizers = (torch.optim.SparseAdam([network.table.weight]), torch.optim.AdamW(dense))
    network.train()
    for epoch in range(epochs):
        rows = sorted((endings.ending(one, chance) for one in sentences), key=lambda one: len(one.words) // 4)
        rows = [one for one in rows if one.words]
        batches = [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]
        chance.shuffle(batches)
        total = 0.0
        for step, batch in enumerate(batches):
            progress = (EPOCHS - epochs + epoch + step / len(batches)) / EPOCHS
            for optimizer, share in zip(optimizers, (TABLE_RATE, 1.0), strict=True):
                optimizer.param_groups[0]["lr"] = share * RATE * (1.0 - progress)
                optimizer.zero_grad()
            numbers, labels = tensors(network.words, batch)
            loss = loss_of(network(numbers), labels)
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / len(batches):.4f}", flush=True)


def report(network: Network, endings: Endings, sentences: Sequence[Sentence], chance: random.Random) -> None:
    """Prints the shares of last words that are judged correctly, by language and label."""
    network.eval()
    found: dict[tuple[str, int], list[bool]] = {}
    with torch.no_grad():
        for one in sentences:
            ending = endings.ending(one, chance)
            if not ending.words or ending.labels[-1] == UNKNOWN:
                continue
            numbers, _ = tensors(network.words, [ending])
            label = ending.labels[-1]
            complete = bool(network(numbers)[0, -1] > 0)
            found.setdefault((one.language, label), []).append(complete == (label == COMPLETE))
    for (language, label), right in sorted(found.items()):
        print(f"{language} {NAMES[label]}: {100 * np.mean(right):.1f} % of {len(right)}")


def save(network: Network, file: Path) -> None:
    """Writes the weights: vectors of word parts as bytes with a common scale, the others in half precision."""
    arrays: dict[str, NDArray[np.float32]] = {
        name: value.detach().numpy() for name, value in network.named_parameters()
    }
    table = arrays.pop("table.weight")
    scale = np.float32(np.quantile(np.abs(table), 0.9999) / 127.0)
    bytes_of_table = np.clip(np.rint(table / scale), -127, 127).astype(np.int8)
    half = {name: value.astype(np.float16) for name, value in arrays.items()}
    np.savez_compressed(file, table=bytes_of_table, scale=scale, **half)


def load(network: Network, file: Path) -> None:
    """Reads the weights that `save` has written."""
    with np.load(file) as arrays:
        vectors = arrays["table"].astype(np.float32) * arrays["scale"]
        network.table.weight.data.copy_(torch.from_numpy(vectors))
        for name, value in network.named_parameters():
            if name in arrays:
                value.data.copy_(torch.from_numpy(arrays[name].astype(np.float32)))


def main() -> None:
    """Trains on all authors, or with `--validate` on all but some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("texts", type=Path, help="folder with the clones of the published texts")
    parser.add_argument("--start", type=Path, help="weights to start with; only the last epochs follow")
    parser.add_argument("--validate", action="store_true", help="test on authors that are not trained on")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    chance = random.Random(SEED)
    sentences = complete_sentences(options.texts, chance)
    learned = [one for one in sentences if not (options.validate and one.author in VALIDATED)]
    tested = [one for one in sentences if one.author in VALIDATED] if options.validate else []
    endings = Endings(learned, continuations())
    learned += ANSWERS * [one for one in learned if one.author == "answers"]
    network = Network(Words())
    if options.start is not None:
        load(network, options.start)
    print(f"{len(learned)} sentences for training, {len(tested)} for the test", flush=True)
    fit(network, endings, learned, EPOCHS if options.start is None else CONTINUED, chance)
    report(network, Endings(sentences, continuations()), tested, chance)
    save(network, options.file)
    print(hashlib.sha256(options.file.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
