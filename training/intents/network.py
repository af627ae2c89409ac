"""Network of the intent classifier in PyTorch. The robot runs the same network in NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from reachy_agent_ros.core.multilingual_embedding import DIMENSIONS
from reachy_agent_ros.nlu.subwords import BUCKETS as WORD_BUCKETS
from reachy_agent_ros.nlu.subwords import WIDTH
from reachy_agent_ros.nlu.templates.intent_classifier import BUCKETS, LISTS, TAGS
from training.stop.network import Words

HIDDEN = 96
"""Number of states of the recurrent layer in each direction."""

DENSE = 128
"""Number of units that combine the sentence vector and the states of the words."""

LIST_WIDTH = 8
"""Size of the vector of a list name."""

LOST = 0.08
"""Share of words that are lost during training, so that no single word decides."""


class IntentNetwork(nn.Module):
    """Classifies a sentence and tags its words.

    Its inputs are word vectors, which a recurrent layer reads in both directions, the sentence vector of the
    multilingual encoder, and hashed sequences of words and letters.

    Args:
        words: Words of all sentences.
        intents: Number of intents.
    """

    def __init__(self, words: Words, intents: int) -> None:
        super().__init__()
        self.words = words
        self.table = nn.EmbeddingBag(WORD_BUCKETS, WIDTH, mode="sum", sparse=True)
        nn.init.normal_(self.table.weight, std=0.1)
        self.lists = nn.Embedding(len(LISTS), LIST_WIDTH)
        self.gru = nn.GRU(WIDTH + LIST_WIDTH, HIDDEN, batch_first=True, bidirectional=True)
        self.dense = nn.Linear(2 * HIDDEN + DIMENSIONS, DENSE)
        self.out = nn.Linear(DENSE, intents)
        self.meaning = nn.Linear(DIMENSIONS, intents, bias=False)
        self.sequence = nn.EmbeddingBag(BUCKETS, intents, mode="sum", sparse=True)
        for linear in (self.meaning, self.sequence):
            nn.init.zeros_(linear.weight)
        self.tags = nn.Linear(2 * HIDDEN, len(TAGS))
        self.drop = nn.Dropout(0.3)

    def forward(
        self, numbers: torch.Tensor, lists: torch.Tensor, vectors: torch.Tensor, buckets: Sequence[torch.Tensor]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the scores of all intents, and the scores of all tags for each word.

        Args:
            numbers: Numbers of the words, shape [sentences, words], 0 after the end.
            lists: Indices of the list names, the same shape.
            vectors: Sentence vectors.
            buckets: Hashed sequences of each sentence.
        """
        found = torch.cat([self.words.vectors(self.table, numbers), self.lists(lists)], 2)
        if self.training:
            found = found * (torch.rand(numbers.shape) > LOST).unsqueeze(-1)
        present = (numbers > 0).unsqueeze(-1)
        lengths = present.sum((1, 2)).clamp(min=1)
        packed = pack_padded_sequence(found, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.gru(packed)[0], batch_first=True, total_length=numbers.shape[1])
        pooled = states.masked_fill(~present, -1.0).max(dim=1).values
        seen = self.drop(vectors) * DIMENSIONS**0.5
        hidden = torch.relu(self.dense(torch.cat([self.drop(pooled), seen], 1)))
        kept = [one[torch.rand(len(one)) > 0.2] for one in buckets] if self.training else buckets
        starts = torch.tensor([0, *(len(one) for one in kept[:-1])]).cumsum(0)
        scores = self.out(self.drop(hidden)) + self.meaning(seen) + self.sequence(torch.cat(list(kept)), starts)
        return scores, self.tags(self.drop(states))
