"""Hybrid search of the memory: by words (BM25) and by meaning (vectors), in one order without repetitions.

Words: BM25 over SQLite's index of stems. BM25 reads every entry with any of the words, and a word in a fifth of
100,000 entries would cost 40 ms while it says next to nothing about which is meant. So rare words are searched first,
and common ones only while the sum of entries stays small: the "common terms" rule of Lucene's `CommonTermsQuery`.

Fusion: a convex combination of normalised scores, as in Bruch, Gai and Ingber, "An Analysis of Fusion Functions for
Hybrid Retrieval", ACM Transactions on Information Systems, 2023: it keeps how much better one match is than the next,
which ranks (reciprocal rank fusion) throw away. Unlike there, each score is divided by the greatest it could be, not
by the greatest that was met, so that scores of different queries compare.

Diversity: a few entries that answer a question, and not five that say the same. Maximal marginal relevance, Carbonell
and Goldstein, "The use of MMR, diversity-based reranking for reordering documents and producing summaries", 1998.
Whoever boils spaghetti every day has a thousand episodes of it; without this rule they would fill every answer that
has to do with cooking.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind, RecalledEntry
from reachy_agent_ros.agent.memory.entry_table import EntryTable
from reachy_agent_ros.agent.memory.vector_index import VectorIndex

MOST_MATCHES = 3000
"""Entries that may be scored for one query."""

MEANING_WEIGHT = 0.8
"""Theirs, for searches that no examples were given of; not tuned on questions of ours."""

RELEVANCE_WEIGHT = 0.7
"""Against likeness to what was chosen before: the usual value; from 0.5 to 0.8 it makes no great difference."""

_BY_WORDS = 50
_BY_MEANING = 400
"""Candidates by coarse vectors, whose angles are then computed."""

_MOST_WORDS = 32
_GREATEST_GAIN = 2.2  # k1 + 1 of SQLite's BM25: what a word adds at most, times its rarity
_SAYING_NOTHING = (
    "a about am an and any are as at be been but by can could did do does for from had has have he her him his how i "
    "if in into is it its me my of on or our she should so than that the their them then there they this to us was we "
    "were what when where which who whom whose why will with would you your"
)
_EMPTY = frozenset(_SAYING_NOTHING.split())


def search(
    connection: sqlite3.Connection,
    index: VectorIndex,
    query: str,
    vector: Vectors,
    kinds: Sequence[EntryKind],
    limit: int,
) -> list[RecalledEntry]:
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
        RecalledEntry(entries[identities[place]], float(scores[place]), float(similarities[place]))
        for place in chosen
        if identities[place] in entries
    ]


def search_words(
    connection: sqlite3.Connection, query: str, kinds: Sequence[EntryKind], total: int, limit: int
) -> dict[int, float]:
    """Entries with the query's words: their numbers, and their scores as shares of the greatest possible, 0 to 1.

    Args:
        connection: To the file.
        query: Any text.
        kinds: Sorts of entries to look at.
        total: Number of all entries; the file would have to be read to count them.
        limit: Entries at most.
    """
    words = list(dict.fromkeys(re.findall(r"\w+", query.casefold())))
    words = [word for word in words if word not in _EMPTY][:_MOST_WORDS] or words[:_MOST_WORDS]
    counts = {word: count for word in words if (count := _count(connection, word))}
    searched = _rare_first(counts)
    if not searched:
        return {}
    greatest = sum(_GREATEST_GAIN * _rarity(count, total) for count in counts.values())
    rows = connection.execute(
        "SELECT entries.id, -rank FROM words JOIN entries ON entries.id = words.rowid "
        "WHERE words MATCH ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY rank LIMIT ?",
        (" OR ".join(f'"{word}"' for word in searched), json.dumps(kinds), limit),
    )
    return {identity: min(1.0, score / greatest) for identity, score in rows}


def hybrid_score(similarity: float, words: float) -> float:
    """How well an entry answers a query, 0 to 1.

    Args:
        similarity: Cosine of their vectors, -1 to 1.
        words: BM25 score as a share of the greatest the query's words could reach, 0 to 1.
    """
    return MEANING_WEIGHT * (similarity + 1.0) / 2.0 + (1.0 - MEANING_WEIGHT) * min(1.0, max(0.0, words))


def diverse(scores: NDArray[np.float64], vectors: Vectors, limit: int) -> list[int]:
    """Places of the entries to give, in the order in which they are chosen: the best one first.

    Args:
        scores: How well each answers, 0 to 1, shape [n].
        vectors: Of each, unit length, shape [n, 384].
        limit: Entries at most.
    """
    chosen: list[int] = []
    likeness = np.zeros(len(scores))
    left = np.ones(len(scores), bool)
    for _ in range(min(limit, len(scores))):
        gains = RELEVANCE_WEIGHT * scores - (1.0 - RELEVANCE_WEIGHT) * likeness
        place = int(np.where(left, gains, -np.inf).argmax())
        chosen.append(place)
        left[place] = False
        likeness = np.maximum(likeness, (vectors @ vectors[place] + 1.0) / 2.0)  # on the scale of the scores
    return chosen


def _count(connection: sqlite3.Connection, word: str) -> int:
    """Entries with a word, counted no further than matters."""
    counted = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    count: int = connection.execute(counted, (f'"{word}"', MOST_MATCHES + 1)).fetchone()[0]
    return count


def _rare_first(counts: dict[str, int]) -> list[str]:
    searched, matches = [], 0
    for word, count in sorted(counts.items(), key=lambda item: item[1]):
        matches += count
        if matches > MOST_MATCHES:
            break
        searched.append(word)
    return searched


def _rarity(count: int, total: int) -> float:
    return max(1e-6, math.log((total - count + 0.5) / (count + 0.5)))  # SQLite's own, with its own floor
