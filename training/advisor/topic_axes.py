"""Computes the axes of `learning.advisor.choice.topics`.

The axes are the principal components of the sentence vectors of many commands.

python -m training.advisor.topic_axes reachy_agent_ros/nlu/exemplars.txt
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.advisor.choice import FILE, TOPICS


def principal_axes(vectors: Vectors) -> tuple[Vector, Matrix]:
    """Returns the center of sentence vectors (shape [384]) and their scaled principal axes (shape [384, 16])."""
    center = vectors.mean(axis=0)
    *_, right = np.linalg.svd(vectors - center, full_matrices=False)
    axes = right[:TOPICS].T
    size = np.sqrt(np.mean(np.sum(((vectors - center) @ axes) ** 2, axis=1)))
    return center, axes / size


def main() -> int:
    """Computes the axes from a file with one sentence per line, and writes the axes.

    Headings and comments are skipped.
    """
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    sentences = [line.translate({ord(brace): None for brace in "{}"}) for line in lines if line[:1] not in "[#"]
    center, axes = principal_axes(SentenceEmbedder().embed([sentence for sentence in sentences if sentence.strip()]))
    np.savez_compressed(FILE, center=center.astype(np.float32), axes=axes.astype(np.float32))
    return 0


if __name__ == "__main__":
    sys.exit(main())
