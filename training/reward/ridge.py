"""Ridge regression in the space of a kernel."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.learning.reward.heads import Floats


def ridge(likeness: Floats, targets: Floats, penalty: float) -> Floats:
    """Weights of the examples, shaped as the targets.

    Args:
        likeness: Of each to each, shape [n, n].
        targets: What they should have, shape [n, ...], without its mean.
        penalty: In examples.
    """
    weight: Floats = np.linalg.solve(likeness + np.float32(penalty) * np.eye(len(likeness), dtype=np.float32), targets)
    return weight
