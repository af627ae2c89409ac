"""What a request is about, in a few numbers: too few to read the words from, enough to tell kinds of requests apart.

The numbers are the first principal components of many commands' sentence vectors. `training.advisor.topic_axes` found
them once, because what was logged under one set of axes means nothing under another.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import Vectors
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.core.weights import check_sum

TOPICS = 16
"""With so many, 62 % of held-out commands are told apart into 19 kinds; with all 384 numbers 76 %, with random axes
41 %."""

FILE = Path(__file__).with_name("topics.npz")

SHA256 = "622c7cced8b0c4b8e04129107a3fdeff4909a0b00217c490cf58185c30671477"
"""Of it: other axes would make what was logged mean something else, and nobody would notice."""


def topics(vector: Vectors) -> tuple[float, ...]:
    """A sentence's place on the axes.

    Args:
        vector: Unit vector of the sentence, shape [384].

    Returns:
        16 numbers whose sum of squares is 1 for the usual command.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the axes are missing or others than the pinned ones.
    """
    centre, axes = _axes()
    return tuple(np.round((vector - centre) @ axes, 3).tolist())


@cache
def _axes() -> tuple[Vector, Matrix]:
    check_sum(FILE, SHA256)
    with np.load(FILE, allow_pickle=False) as arrays:
        return arrays["centre"], arrays["axes"]
