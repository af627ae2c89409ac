"""How sure one may be of what was measured."""

from __future__ import annotations

from typing import NamedTuple


class Estimate(NamedTuple):
    """A value with its 95 % confidence interval, in the unit of what was measured.

    Attributes:
        value: What was measured.
        low: Least value that the measurements speak for.
        high: Greatest value.
    """

    value: float
    low: float
    high: float
