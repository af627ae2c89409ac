"""A few entries that answer a question, and not five that say the same.

Maximal marginal relevance, Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents
and producing summaries", 1998. Whoever boils spaghetti every day has a thousand episodes of it; without this rule they
would fill every answer that has to do with cooking.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.agent.memory.embedder import Vectors

RELEVANCE_WEIGHT = 0.7
"""Against likeness to what was chosen before: the usual value; from 0.5 to 0.8 it makes no great difference."""


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
