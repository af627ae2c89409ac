"""One order out of two searches: by words and by meaning.

A convex combination of normalised scores, as in Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
Retrieval", ACM Transactions on Information Systems, 2023: it keeps how much better one match is than the next, which
ranks (reciprocal rank fusion) throw away. Unlike there, each score is divided by the greatest it could be, not by the
greatest that was met, so that scores of different queries compare.
"""

from __future__ import annotations

MEANING_WEIGHT = 0.8
"""Theirs, for searches that no examples were given of; not tuned on questions of ours."""


def hybrid_score(similarity: float, words: float) -> float:
    """How well an entry answers a query, 0 to 1.

    Args:
        similarity: Cosine of their vectors, -1 to 1.
        words: BM25 score as a share of the greatest the query's words could reach, 0 to 1.
    """
    return MEANING_WEIGHT * (similarity + 1.0) / 2.0 + (1.0 - MEANING_WEIGHT) * min(1.0, max(0.0, words))
