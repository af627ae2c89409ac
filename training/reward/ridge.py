"""Kernel ridge regression."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.learning.reward.heads import Floats


def ridge(likeness: Floats, targets: Floats, penalty: float) -> Floats:
    """Returns the dual weights of the examples, in the shape of the targets.

    Args:
        likeness: Kernel matrix of the examples, shape [n, n].
        targets: Targets minus their mean, shape [n, ...].
        penalty: Ridge penalty, in examples.
    """
    weight: Floats = np.linalg.solve(likeness + np.float32(penalty) * np.eye(len(likeness), dtype=np.float32), targets)
    return weight
