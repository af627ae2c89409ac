"""What options take, with a sentence for who gives something else."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from reachy_agent_ros.core.duration import duration

LARGEST_INTEGER = 2**31 - 1
"""That a message's field holds."""


def whole(low: int, high: int = LARGEST_INTEGER) -> Callable[[str], int]:
    """Reads whole numbers within bounds.

    Args:
        low: Least that is taken.
        high: Greatest that is taken.
    """

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r:.40} is no whole number {_bounds(low, high)}")
        return number

    return read


def decimal(low: float, high: float) -> Callable[[str], float]:
    """Reads numbers within bounds, both included; never NaN."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r:.40} is no number from {low:g} to {high:g}")
        return number

    return read


def span(text: str) -> float:
    """Reads a time such as 90s, 10m, 2h or 7d, in s."""
    try:
        return duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _bounds(low: int, high: int) -> str:
    return f"of at least {low}" if high == LARGEST_INTEGER else f"from {low} to {high}"
