"""Shares and means of what was measured in some episodes, and how sure one may be of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reachy_agent_ros.learning.estimate import Estimate

_Z = 1.959964
"""Standard deviations of a normal distribution within which 95 % of it lie."""

_RESAMPLES = 2000


def share(successes: int, count: int) -> Estimate:
    """A share with Wilson's interval (1927), which stays within 0..1 and is no point where all succeed.

    Args:
        successes: From 0 to `count`.
        count: At least 1.
    """
    found, z2 = successes / count, _Z * _Z / count
    middle = (found + z2 / 2.0) / (1.0 + z2)
    half = _Z / (1.0 + z2) * math.sqrt(found * (1.0 - found) / count + z2 / (4.0 * count))
    return Estimate(found, max(0.0, min(middle - half, found)), min(1.0, max(middle + half, found)))


def mean(values: Sequence[float]) -> Estimate:
    """A mean with the interval of a percentile bootstrap (Efron 1979), the same for the same values.

    Args:
        values: At least one.
    """
    found, generator = np.array(values), np.random.default_rng(0)
    resampled = generator.choice(found, (_RESAMPLES, len(found))).mean(axis=1)
    low, high = np.percentile(resampled, (2.5, 97.5)).tolist()
    return Estimate(float(found.mean()), low, high)


def tenth(values: Sequence[float]) -> float:
    """10th percentile of at least one value, by nearest rank."""
    return sorted(values)[math.ceil(0.1 * len(values)) - 1]
