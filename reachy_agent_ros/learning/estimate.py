"""Confidence intervals of measured values."""

from __future__ import annotations

from typing import NamedTuple


class Estimate(NamedTuple):
    """Measured value with its 95 % confidence interval, in the unit of the measurement.

    Attributes:
        value: The measured value.
        low: Lower bound.
        high: Upper bound.
    """

    value: float
    low: float
    high: float
