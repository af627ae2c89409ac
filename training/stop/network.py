"""Networks of the stop classifier in PyTorch.

Hashed word parts are followed by convolutions or a recurrent layer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from reachy_agent_ros.nlu.stop.classifier import LABELS
from reachy_agent_ros.nlu.subwords import BUCKETS, WIDTH, parts_of

HIDDEN = 64


class Words:
    """Vocabulary of words with their hashed word parts, which are the inputs of `nn.EmbeddingBag`."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._parts: list[np.ndarray] = []
        self._weights: list[np.ndarray] = []

    def number(self, word: str) -> int:
        """Returns the number of a word (at least 1). New words are added to the vocabulary."""
        found = self._numbers.get(word)
        if found is None:
            buckets = parts_of(word)
            weights = np.full(len(buckets), 1 / max(1, len(buckets) - 1), np.float32)
            weights[0] = 1.0
            self._parts.append(np.asarray(buckets))
            self._weights.append(weights)
            found = self._numbers[word] = len(self._parts)
        return found

    def bags(self, numbers: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Returns the buckets, the offsets and the weights of the given words."""
        parts = [self._parts[number - 1] for number in numbers]
        offsets = np.cumsum([0, *map(len, parts[:-1])])
        weights = np.concatenate([self._weights[number - 1] for number in numbers])
        return torch.from_numpy(np.concatenate(parts)), torch.from_numpy(offsets), torch.from_numpy(weights)

    def vectors(self, table: nn.EmbeddingBag, batch: torch.Tensor) -> torch.Tensor:
        """Returns the vector of each word of a batch of texts. Places after the end of a text have a zero vector.

        Args:
            table: Vectors of word parts.
            batch: Numbers of the words, 0 after the end of a text.
        """
        numbers, place = torch.unique(batch, return_inverse=True)
        buckets, offsets, weights = self.bags([number for number in numbers.tolist() if number])
        found = table(buckets, offsets, per_sample_weights=weights)
        if numbers[0] == 0:
            found = torch.cat([torch.zeros(1, WIDTH), found])
        return found[place]


class Network(nn.Module):
    """Network that classifies sentences.

    Args:
        words: Words of all sentences.
        recurrent: Whether a bidirectional gated recurrent unit replaces the convolutions.
    """

    def __init__(self, words: Words, recurrent: bool) -> None:
        super().__init__()
        self.words = words
        self.recurrent = recurrent
        self.table = nn.EmbeddingBag(BUCKETS, WIDTH, mode="sum", sparse=True)
        nn.init.normal_(self.table.weight, std=0.1)
        if recurrent:
            self.gru = nn.GRU(WIDTH, HIDDEN, batch_first=True, bidirectional=True)
        else:
            self.near = nn.Conv1d(WIDTH, 2 * HIDDEN, 3, padding=1)
            self.far = nn.Conv1d(2 * HIDDEN, 2 * HIDDEN, 3, padding=1)
        self.drop = nn.Dropout(0.3)
        self.dense = nn.Linear(2 * HIDDEN, HIDDEN)
        self.out = nn.Linear(HIDDEN, len(LABELS))

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """Returns scores of all labels."""
        mask = (batch == 0).unsqueeze(-1)
        found = self.words.vectors(self.table, batch)
        if self.training:  # loses whole words, so that no single word decides
            found = found * (torch.rand(batch.shape) > 0.04).unsqueeze(-1)
        if self.recurrent:
            lengths = (batch > 0).sum(1).clamp(min=1)
            packed = nn.utils.rnn.pack_padded_sequence(found, lengths, batch_first=True, enforce_sorted=False)
            states, _ = nn.utils.rnn.pad_packed_sequence(
                self.gru(packed)[0], batch_first=True, total_length=batch.shape[1]
            )
        else:
            near = torch.relu(self.near(found.transpose(1, 2))).masked_fill(mask.transpose(1, 2), 0.0)
            states = (torch.relu(self.far(near)) + near).transpose(1, 2)
        pooled = states.masked_fill(mask, -1e4).max(dim=1).values.clamp(min=-1e3)
        return self.out(torch.relu(self.dense(self.drop(pooled))))
