"""What a request is about, in a few numbers: too few to read the words from, enough to tell kinds of requests apart.

The numbers are the first principal components of many commands' sentence vectors. They were found once, because what
was logged under one set of axes means nothing under another:

    python -m reachy_agent_ros.learning.advisor.topics reachy_agent_ros/nlu/exemplars.txt
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
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


def principal_axes(vectors: Vectors) -> tuple[Vector, Matrix]:
    """The centre of sentences, shape [384], and the axes in which they differ most, shape [384, 16]."""
    centre = vectors.mean(axis=0)
    *_, right = np.linalg.svd(vectors - centre, full_matrices=False)
    axes = right[:TOPICS].T
    size = np.sqrt(np.mean(np.sum(((vectors - centre) @ axes) ** 2, axis=1)))
    return centre, axes / size


@cache
def _axes() -> tuple[Vector, Matrix]:
    check_sum(FILE, SHA256)
    with np.load(FILE, allow_pickle=False) as arrays:
        return arrays["centre"], arrays["axes"]


def main() -> int:
    """Finds the axes from a file of sentences, one a line, and writes them. Lines in brackets and comments are left."""
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    sentences = [line.translate({ord(brace): None for brace in "{}"}) for line in lines if line[:1] not in "[#"]
    centre, axes = principal_axes(SentenceEmbedder().embed([sentence for sentence in sentences if sentence.strip()]))
    np.savez_compressed(FILE, centre=centre.astype(np.float32), axes=axes.astype(np.float32))
    return 0


if __name__ == "__main__":
    sys.exit(main())
