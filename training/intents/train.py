"""Trains the classifier of intents, and writes the file that the robot loads.

Run from the repository: `python -m training.intents.train FILE.npz`. It prints the file's SHA-256. With `--validate`,
it keeps the sentences of about a fifth of the authors for a test, prints the figures, and writes nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from reachy_agent_ros.core.multilingual_embedding import MultilingualEmbedder
from reachy_agent_ros.nlu.templates.intent_classifier import LISTS, NONE, features_of, shown
from training.intents.network import IntentNetwork
from training.intents.sentences import TEMPLATES, UNKNOWN, Labeled, labeled
from training.stop.network import Words

SEED = 7
BATCH = 128
EPOCHS = 20
RATE = 4e-3
TABLE_RATE = 0.6
"""Learning rate of the word vectors relative to `RATE`.

Words that occur in no sentence keep their vectors, so the vectors of similar words must not move far.
"""

PENALTY = 0.01
"""Decay of the weights, except those of words and of sequences."""

SMOOTHING = 0.03
"""Share of the probability that the target of a sentence gives to all intents alike."""

TAGGING = 1.5
"""Weight of the loss of the tags relative to that of the intents."""

UNMARKED = 0.3
"""Share of sentences that lose their punctuation in an epoch."""

MISSPELLED = 0.03
"""Share of words whose letters are changed in an epoch."""

REFILLED = 0.5
"""Share of sentences whose free text is replaced in an epoch."""

_EMBEDDED = 64

Row = list[tuple[str, str, int]]
"""Words with the names of their lists and their tags."""


@dataclass(frozen=True)
class Data:
    """Sentences with their sentence vectors and hashed sequences."""

    sentences: Sequence[Labeled]
    vectors: torch.Tensor
    buckets: Sequence[torch.Tensor]

    def part(self, used: NDArray[np.bool_]) -> Data:
        """Returns some of the sentences."""
        chosen = np.flatnonzero(used)
        return Data(
            [self.sentences[i] for i in chosen],
            self.vectors[chosen],
            [self.buckets[i] for i in chosen],
        )


def main() -> None:
    """Trains on all sentences, or, for validation, on a part of the sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--validate", action="store_true", help="test on the sentences of about a fifth of the authors")
    arguments = parser.parse_args()
    data = load()
    intents = sorted({one.intent for one in data.sentences})
    if arguments.validate:
        kept = np.array([is_kept(one) for one in data.sentences])
        report(train(data.part(~kept), intents), data.part(kept), intents)
        return
    save(train(data, intents), intents, arguments.file)
    print(f"{len(data.sentences)} sentences, {hashlib.sha256(arguments.file.read_bytes()).hexdigest()}")


def is_kept(sentence: Labeled) -> bool:
    """Returns whether a sentence is used for validation: one of about a fifth of the authors."""
    return sentence.author != TEMPLATES and zlib.crc32(sentence.author.encode()) % 5 == 0


def load() -> Data:
    """Loads all sentences."""
    sentences = labeled()
    embedder = MultilingualEmbedder()
    texts = [one.text for one in sentences]
    parts = [embedder.embed(texts[start : start + _EMBEDDED]) for start in range(0, len(texts), _EMBEDDED)]
    return Data(
        sentences,
        torch.from_numpy(np.concatenate(parts)),
        [torch.from_numpy(features_of(one.masked)) for one in sentences],
    )


def train(data: Data, intents: Sequence[str]) -> IntentNetwork:
    """Trains a network with Adam. The learning rate falls almost to zero."""
    torch.manual_seed(SEED)
    chance = random.Random(SEED)
    network = IntentNetwork(Words(), len(intents))
    sparse = [network.table.weight, network.sequence.weight]
    dense = [value for name, value in network.named_parameters() if not name.startswith(("table", "sequence"))]
    optimizers = (
        torch.optim.SparseAdam(sparse),
        torch.optim.AdamW(dense, weight_decay=PENALTY),
    )
    fillings = fillings_of(data.sentences)
    index = {intent: place for place, intent in enumerate(intents)}
    steps, step, start = EPOCHS * (len(data.sentences) // BATCH + 1), 0, time.monotonic()
    for epoch in range(EPOCHS):
        network.train()
        total = 0.0
        for rows in _batches(data, chance):
            for optimizer, share in zip(optimizers, (TABLE_RATE, 1.0), strict=True):
                optimizer.param_groups[0]["lr"] = share * RATE * (1.005 - step / steps)
                optimizer.zero_grad()
            loss = _loss(network, data, rows, index, chance, fillings)
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
            total, step = total + loss.item(), step + 1
        print(f"epoch {epoch + 1}: loss {total * EPOCHS / steps:.4f}, {time.monotonic() - start:.0f} s", flush=True)
    return network.eval()


def _batches(data: Data, chance: random.Random) -> Iterator[Sequence[int]]:
    """Yields batches of sentences of similar length, in random order."""
    order = sorted(range(len(data.sentences)), key=lambda i: (len(data.sentences[i].words) // 3, chance.random()))
    batches = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
    chance.shuffle(batches)
    yield from batches


def _loss(
    network: IntentNetwork,
    data: Data,
    rows: Sequence[int],
    index: dict[str, int],
    chance: random.Random,
    fillings: Mapping[tuple[str, int], Sequence[Row]],
) -> torch.Tensor:
    sentences = [data.sentences[row] for row in rows]
    numbers, lists, tags = encoded(network.words, sentences, chance, fillings)
    scores, tagged = network(numbers, lists, data.vectors[rows], [data.buckets[row] for row in rows])
    wanted = torch.tensor([index[one.intent] for one in sentences])
    loss = functional.cross_entropy(scores, wanted, label_smoothing=SMOOTHING)
    if (tags == UNKNOWN).all():
        return loss
    return loss + TAGGING * functional.cross_entropy(tagged.flatten(0, 1), tags.flatten(), ignore_index=UNKNOWN)


def encoded(
    words: Words,
    sentences: Sequence[Labeled],
    chance: random.Random | None = None,
    fillings: Mapping[tuple[str, int], Sequence[Row]] | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Returns the numbers of words, indices of list names and tags of sentences, one row per sentence.

    Args:
        words: Vocabulary.
        sentences: Sentences.
        chance: Source of random punctuation and spelling; None to leave the sentences as they are.
        fillings: Free texts by language and tag, which replace those of the sentences.
    """
    rows = []
    for one in sentences:
        row = list(zip(one.words, one.names, one.tags, strict=True))
        if chance is not None and fillings and any(tag > 0 for tag in one.tags) and chance.random() < REFILLED:
            row = _refilled(row, one.language, fillings, chance)
        if chance is not None and chance.random() < UNMARKED:
            row = [item for item in row if item[0][0].isalnum()] or row
        rows.append([(_misspelled(word, chance), name, tag) for word, name, tag in row])
    longest = max(map(len, rows))
    numbers, lists = np.zeros((len(rows), longest), np.int64), np.zeros((len(rows), longest), np.int64)
    tags = np.full((len(rows), longest), UNKNOWN)
    for place, row in enumerate(rows):
        numbers[place, : len(row)] = [words.number(shown(word)) for word, _, _ in row]
        lists[place, : len(row)] = [LISTS.index(name) for _, name, _ in row]
        tags[place, : len(row)] = [tag for _, _, tag in row]
    return torch.from_numpy(numbers), torch.from_numpy(lists), torch.from_numpy(tags)


def fillings_of(sentences: Sequence[Labeled]) -> dict[tuple[str, int], list[Row]]:
    """Returns the free texts of sentences by language and tag."""
    found: dict[tuple[str, int], list[Row]] = {}
    for one in sentences:
        for tag, group in groupby(zip(one.words, one.names, one.tags, strict=True), key=itemgetter(2)):
            if tag > 0:
                found.setdefault((one.language, tag), []).append(list(group))
    return found


def _refilled(row: Row, language: str, fillings: Mapping[tuple[str, int], Sequence[Row]], chance: random.Random) -> Row:
    """Replaces each free text by another one, so that the other words decide where it begins and ends."""
    found: Row = []
    for tag, group in groupby(row, key=itemgetter(2)):
        found += chance.choice(fillings[language, tag]) if tag > 0 else group
    return found


def _misspelled(word: str, chance: random.Random | None) -> str:
    """Returns a word with two neighboring letters swapped or one letter missing, in few cases."""
    if chance is None or len(word) < 4 or not word.isalpha() or chance.random() >= MISSPELLED:
        return word
    place = chance.randrange(1, len(word) - 1)
    if chance.random() < 0.5:
        return word[:place] + word[place + 1 :]
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def predicted(network: IntentNetwork, data: Data) -> tuple[NDArray[np.float32], list[NDArray[np.int64]]]:
    """Returns the probabilities of the intents of each sentence, and the tags of its words."""
    probabilities, tags = [], []
    with torch.no_grad():
        for start in range(0, len(data.sentences), BATCH):
            rows = range(start, min(start + BATCH, len(data.sentences)))
            sentences = [data.sentences[row] for row in rows]
            numbers, lists, _ = encoded(network.words, sentences)
            scores, tagged = network(
                numbers, lists, data.vectors[rows.start : rows.stop], [data.buckets[row] for row in rows]
            )
            probabilities.append(torch.softmax(scores, 1).numpy())
            best = tagged.argmax(2).numpy()
            tags += [best[place, : len(one.words)] for place, one in enumerate(sentences)]
    return np.concatenate(probabilities), tags


def report(network: IntentNetwork, data: Data, intents: Sequence[str]) -> None:
    """Prints the figures of each language at several probabilities, and the share of sentences with the right tags."""
    probabilities, tags = predicted(network, data)
    best, likely = probabilities.argmax(axis=1), probabilities.max(axis=1)
    none = intents.index(NONE)
    labels = np.array([intents.index(one.intent) for one in data.sentences])
    marked = np.array([any(tag > 0 for tag in one.tags) for one in data.sentences])
    rightly = np.array([tuple(tag) == one.tags for tag, one in zip(tags, data.sentences, strict=True)])
    for language in sorted({one.language for one in data.sentences}):
        mine = np.array([one.language == language for one in data.sentences])
        print(f"{language} tags: {rightly[mine & marked].mean():.1%} of {(mine & marked).sum()} sentences")
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


def save(network: IntentNetwork, intents: Sequence[str], file: Path) -> None:
    """Writes the weights. Word vectors are bytes with a common scale; the other weights have half precision."""
    arrays = {name: value.detach().numpy() for name, value in network.named_parameters()}
    table = arrays.pop("table.weight")
    scale = np.float32(np.quantile(np.abs(table), 0.9999) / 127.0)
    of_bytes = np.clip(np.rint(table / scale), -127, 127).astype(np.int8)
    half = {name: value.astype(np.float16) for name, value in arrays.items()}
    np.savez_compressed(file, labels=intents, table=of_bytes, scale=scale, **half)


if __name__ == "__main__":
    main()
