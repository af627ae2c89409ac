"""Trains the stop classifier, and writes the file that the robot loads.

Run from the repository: `python -m training.stop.train FILE.npz`. It takes about ten minutes of one core, and prints
the figures on authors that it did not learn from and the file's SHA-256. `--validate` also excludes the authors of
templates that are meant for the comparison of variants.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from reachy_agent_ros.nlu.stop.classifier import LABELS
from reachy_agent_ros.nlu.stop.plain_words import plain_words
from training.stop import sentences as source
from training.stop.network import Network, Words
from training.stop.noise import noisy
from training.stop.sentences import Example

SEED = 7
BATCH = 256
RATE = 2e-3
TABLE_RATE = 0.6
"""Rate of word vectors relative to `RATE`. Words that no sentence has must stay neighbors of those that move."""

EPOCHS = 4
WARM_UP = 100
"""Number of steps in which the learning rate rises."""

LONGEST = 48
"""Limit of words of a training sentence."""

JOINED = 0.06
"""Share of sentences that follow ordinary talk, and share of those before ordinary talk."""

NONE = ("none",)


def joined(first: Example, second: Example, chance: random.Random) -> Example:
    """Joins two sentences into one example. At most one of them is a stop."""
    stop = second if first.labels == NONE else first
    mark = chance.choice((". ", "! ", ". ", ", ", " "))
    return replace(stop, text=first.text.rstrip(".!,") + mark + second.text)


def varied(examples: Sequence[Example], chance: random.Random) -> list[Example]:
    """Returns all examples for one epoch, in random order and with new noise."""
    talk: dict[str, list[Example]] = {}
    for example in examples:
        if example.labels == NONE and "?" not in example.text:
            talk.setdefault(example.language, []).append(example)
    found = []
    for example in examples:
        before, after = chance.random() < JOINED, chance.random() < JOINED
        if before:
            example = joined(chance.choice(talk[example.language]), example, chance)
        if after:
            example = joined(example, chance.choice(talk[example.language]), chance)
        found.append(replace(example, text=noisy(example.text, example.language, chance)))
    chance.shuffle(found)
    return found


def encoded(words: Words, texts: Sequence[str]) -> torch.Tensor:
    """Returns the word numbers of texts: one row per text, padded with zeros."""
    rows = [[words.number(word) for word in plain_words(text)[:LONGEST] or ["."]] for text in texts]
    numbers = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for place, row in enumerate(rows):
        numbers[place, : len(row)] = row
    return torch.from_numpy(numbers)


def loss_of(network: Network, batch: Sequence[Example]) -> torch.Tensor:
    """Returns the loss of a batch.

    It is the weighted mean of the negative logarithm of the total probability of the accepted labels.
    """
    accepted = torch.tensor([[label in example.labels for label in LABELS] for example in batch])
    scores = functional.log_softmax(network(encoded(network.words, [example.text for example in batch])), 1)
    likely = scores.masked_fill(~accepted, -1e9).logsumexp(1)
    return -(likely * torch.tensor([example.weight for example in batch])).mean()


def fit(network: Network, examples: Sequence[Example], chance: random.Random) -> None:
    """Trains the network with Adam. The learning rate rises over `WARM_UP` steps, then falls almost to zero."""
    dense = [value for name, value in network.named_parameters() if not name.startswith("table")]
    optimizers = (torch.optim.SparseAdam([network.table.weight]), torch.optim.AdamW(dense))
    steps, step, start = EPOCHS * (len(examples) // BATCH + 1), 0, time.monotonic()
    for epoch in range(EPOCHS):
        network.train()
        rows = sorted(varied(examples, chance), key=lambda example: len(example.text) // 20)
        batches = [rows[at : at + BATCH] for at in range(0, len(rows), BATCH)]
        chance.shuffle(batches)
        total = 0.0
        for batch in batches:
            for optimizer, share in zip(optimizers, (TABLE_RATE, 1.0), strict=True):
                optimizer.param_groups[0]["lr"] = share * RATE * min(1.0, step / WARM_UP) * (1.005 - step / steps)
                optimizer.zero_grad()
            loss = loss_of(network, batch)
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
            total, step = total + loss.item(), step + 1
        print(f"epoch {epoch + 1}: loss {total / len(batches):.4f}, {time.monotonic() - start:.0f} s", flush=True)


def probabilities(network: Network, texts: Sequence[str]) -> NDArray[np.float32]:
    """Returns the probability of each label (column) for each text (row)."""
    network.eval()
    with torch.no_grad():
        parts = [encoded(network.words, texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        return np.concatenate([torch.softmax(network(part), 1).numpy() for part in parts])


def report(network: Network, examples: Sequence[Example]) -> None:
    """Prints the rate of predicted stops by language and label."""
    groups: dict[tuple[str, str], list[str]] = {}
    for example in examples:
        groups.setdefault((example.language, "/".join(example.labels)), []).append(example.text)
    for (language, label), texts in groups.items():
        found = probabilities(network, texts)
        now, plain, any_level = found[:, 3] > 0.5, found[:, 2:].sum(1) > 0.5, found[:, 0] < 0.5
        shares = ", ".join(
            f"{name} {100 * share.mean():.2f} %"
            for name, share in zip(("now", "feedback", "any"), (now, plain, any_level), strict=True)
        )
        print(f"{language} {label:12} {len(texts):5}: {shares}")


def save(network: Network, file: Path) -> None:
    """Writes the weights of the network.

    The vectors of word parts are bytes with a common scale; the other weights have half precision.
    """
    arrays = {name: value.detach().numpy() for name, value in network.named_parameters()}
    table = arrays.pop("table.weight")
    scale = np.float32(np.quantile(np.abs(table), 0.9999) / 127.0)
    bytes_of_table = np.clip(np.rint(table / scale), -127, 127).astype(np.int8)
    half = {name: value.astype(np.float16) for name, value in arrays.items()}
    np.savez_compressed(file, table=bytes_of_table, scale=scale, **half)


def main() -> None:
    """Trains on all authors that are not held out for tests. `--validate` also leaves out the validation authors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--validate", action="store_true", help="exclude the authors for validation")
    parser.add_argument("--convolutions", action="store_true", help="use convolutions; the robot cannot load them")
    parser.add_argument("--no-vectors", action="store_true", help="begin with random word vectors")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    chance = random.Random(SEED)
    learned, tested = source.divided(chance, validate=options.validate)
    network = Network(Words(), recurrent=not options.convolutions)
    if not options.no_vectors:
        from training.stop.vectors import fit_to_meanings

        fit_to_meanings(network.table, source.LANGUAGES)
    print(f"{len(learned)} sentences for training, {len(tested)} of other authors", flush=True)
    fit(network, learned, chance)
    report(network, tested)
    if not options.convolutions:
        save(network, options.file)
        print(hashlib.sha256(options.file.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
