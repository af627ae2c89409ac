"""Isotonic regression: the closest curve to the data that never falls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Isotonic:
    """A curve that never falls, straight between its points and level beyond them.

    Attributes:
        positions: Ascending.
        heights: Likewise, of the same length.
    """

    positions: NDArray[np.float64]
    heights: NDArray[np.float64]

    def at(self, position: float) -> float:
        """Its height there."""
        return float(np.interp(position, self.positions, self.heights))


def fit_isotonic(points: Iterable[tuple[float, float, float]]) -> Isotonic:
    """Fits by least squares, pooling adjacent violators.

    Ayer et al., "An empirical distribution function for sampling with incomplete information", 1955.

    Args:
        points: Position, height and weight (above 0) of each; at least one.
    """
    heaps: dict[float, list[float]] = {}  # weight, weighted positions, weighted heights
    for position, height, weight in points:
        heaps[position] = _together(heaps.get(position, [0.0] * 3), [weight, weight * position, weight * height])
    blocks: list[list[float]] = []
    for _, block in sorted(heaps.items()):
        blocks.append(block)
        while len(blocks) > 1 and blocks[-2][2] / blocks[-2][0] >= blocks[-1][2] / blocks[-1][0]:
            last = blocks.pop()
            blocks[-1] = _together(blocks[-1], last)
    weights, positions, heights = np.array(blocks).T
    return Isotonic(positions / weights, heights / weights)


def _together(one: list[float], other: list[float]) -> list[float]:
    return [mine + theirs for mine, theirs in zip(one, other, strict=True)]
