"""Finds what answers a question: by words, by meaning, and in one order."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np

from reachy_agent_ros.agent.memory.diversity import diverse
from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry import ALL_KINDS, Kind, Recollection
from reachy_agent_ros.agent.memory.entry_table import EntryTable
from reachy_agent_ros.agent.memory.full_text import search_words
from reachy_agent_ros.agent.memory.ranking import hybrid_score
from reachy_agent_ros.agent.memory.vector_index import VectorIndex

_BY_WORDS = 50
_BY_MEANING = 400
"""Candidates by coarse vectors, whose angles are then computed."""


def search(
    connection: sqlite3.Connection,
    index: VectorIndex,
    query: str,
    vector: Vectors,
    kinds: Sequence[Kind],
    limit: int,
) -> list[Recollection]:
    """The entries of some kinds that answer a query best and do not say the same, the best first.

    Args:
        connection: To the file.
        index: Of its vectors.
        query: In words.
        vector: Of the query, shape [384].
        kinds: Sorts of entries to look at.
        limit: Entries at most.
    """
    table = EntryTable(connection)
    words = search_words(connection, query, kinds, len(index), _BY_WORDS)
    near = index.nearest(vector, [ALL_KINDS.index(kind) for kind in kinds], _BY_MEANING)
    identities, vectors = table.vectors({*words, *near})
    similarities = vectors @ vector
    scores = np.array(
        [hybrid_score(float(s), words.get(i, 0.0)) for i, s in zip(identities, similarities, strict=True)]
    )
    chosen = diverse(scores, vectors, limit)
    entries = table.by_number([identities[place] for place in chosen])
    return [
        Recollection(entries[identities[place]], float(scores[place]), float(similarities[place]))
        for place in chosen
        if identities[place] in entries
    ]
