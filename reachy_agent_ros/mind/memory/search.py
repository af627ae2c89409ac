"""Finds what answers a question: by words, by meaning, and in one order."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from reachy_agent_ros.mind.memory.embedder import Vectors
from reachy_agent_ros.mind.memory.entry import ALL_KINDS, Kind, Recollection
from reachy_agent_ros.mind.memory.entry_table import EntryTable
from reachy_agent_ros.mind.memory.full_text import search_words
from reachy_agent_ros.mind.memory.ranking import hybrid_score
from reachy_agent_ros.mind.memory.vector_index import VectorIndex

_BY_WORDS = 50
_BY_MEANING = 400
"""Candidates by sign alone, whose angles are then computed: signs are coarse."""


def search(
    connection: sqlite3.Connection,
    index: VectorIndex,
    query: str,
    vector: Vectors,
    kinds: Sequence[Kind],
    limit: int,
) -> list[Recollection]:
    """The entries of some kinds that answer a query best, the best first.

    Args:
        connection: To the file.
        index: Of its vectors.
        query: In words.
        vector: Of the query, shape [384].
        kinds: Sorts of entries to look at.
        limit: Entries at most.
    """
    table = EntryTable(connection)
    words = search_words(connection, query, kinds, _BY_WORDS)
    near = index.nearest(vector, [ALL_KINDS.index(kind) for kind in kinds], _BY_MEANING)
    identities, vectors = table.vectors({*words, *near})
    similarities = dict(zip(identities, (vectors @ vector).tolist(), strict=True))
    scores = {one: hybrid_score(similarities[one], words.get(one, 0.0)) for one in identities}
    best = sorted(scores, key=lambda one: scores[one], reverse=True)[:limit]
    entries = table.by_number(best)
    return [Recollection(entries[one], scores[one], similarities[one]) for one in best]
