"""Hybrid search of the memory by words (BM25) and by meaning (vectors), which returns diverse results.

Words: BM25 over SQLite's index of word stems. BM25 reads every entry that contains any of the words, and a word that
occurs in a fifth of 100,000 entries would cost 40 ms although it hardly distinguishes entries. Therefore rare words
are searched first, and common words only while the number of entries stays small, as in Lucene's `CommonTermsQuery`.

Fusion: a convex combination of normalized scores, as in Bruch, Gai and Ingber, "An Analysis of Fusion Functions for
Hybrid Retrieval", ACM Transactions on Information Systems, 2023. Unlike reciprocal rank fusion, it keeps the
differences between scores. Unlike in the paper, each score is divided by its theoretical maximum instead of the
observed maximum, so that scores of different queries are comparable.

Diversity: maximal marginal relevance, Carbonell and Goldstein, "The use of MMR, diversity-based reranking for
reordering documents and producing summaries", 1998. Without it, a thousand episodes about boiling spaghetti would be
the only results about cooking.
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
"""Maximum number of entries that BM25 scores for one query."""

MEANING_WEIGHT = 0.8
"""Weight that Bruch, Gai and Ingber suggest if there are no training examples; not tuned on our own questions."""

RELEVANCE_WEIGHT = 0.7
"""Weight of relevance relative to similarity to earlier results: the usual value. Values from 0.5 to 0.8 give
similar results."""

LEAST_RELEVANT = 0.5
"""Score below which an entry usually does not answer the query. Of the answers to the 156 questions in `bench/memory`,
99 % reach this score; of the answers that share no word with their question, 90 % do."""

_BY_WORDS = 50
_BY_MEANING = 400
"""Number of candidates from the coarse vector index, whose exact cosines are then computed."""

_MOST_WORDS = 32
_GREATEST_GAIN = 2.2  # k1 + 1 of SQLite's BM25: the maximum contribution of a word, relative to its rarity
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
    """Returns a diverse selection of the entries that best match a query, in order of selection.

    Args:
        connection: Connection to the memory file.
        index: Index of the vectors in the file.
        query: Text of the query.
        vector: Vector of the query, shape [384].
        kinds: Kinds of entries to search.
        limit: Maximum number of entries.
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
    """Returns the numbers and the relative scores (0 to 1) of the entries that contain words of the query.

    Args:
        connection: Connection to the memory file.
        query: Any text.
        kinds: Kinds of entries to search.
        total: Total number of entries; passed in, because callers know it without reading the file.
        limit: Maximum number of entries.
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
    """Returns the relevance (0 to 1) of an entry to a query.

    Args:
        similarity: Cosine of the two vectors, -1 to 1.
        words: BM25 score relative to the maximum for the query's words, 0 to 1.
    """
    return MEANING_WEIGHT * (similarity + 1.0) / 2.0 + (1.0 - MEANING_WEIGHT) * min(1.0, max(0.0, words))


def diverse(scores: NDArray[np.float64], vectors: Vectors, limit: int) -> list[int]:
    """Selects relevant entries that differ from each other, the most relevant one first. Returns their indices.

    Args:
        scores: Relevance of each entry, 0 to 1, shape [n].
        vectors: Unit vectors of the entries, shape [n, 384].
        limit: Maximum number of entries.
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
    """Counts the entries that contain a word. Stops at `MOST_MATCHES` + 1."""
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
    return max(1e-6, math.log((total - count + 0.5) / (count + 0.5)))  # the formula and lower limit of SQLite
