"""Formats the metrics of a policy with units: degrees for angles, millimeters for distances."""

from __future__ import annotations

import math
from collections.abc import Mapping

_ANGLES = ("error", "error_before", "error_untaught")
"""Measured figures that are angles, rad."""


def figure_in_words(name: str, value: float, unit: str = "") -> str:
    """Formats a value with its unit.

    Args:
        name: Name of the figure or parameter.
        value: Value in SI units.
        unit: SI symbol of the value; empty for a ratio, or if the name of a measured figure implies the unit.
    """
    if unit == "rad" or name in _ANGLES:
        return f"{math.degrees(value):.1f} deg"
    if unit == "m":
        return f"{1e3 * value:.1f} mm"
    return f"{value:.3g}"


def in_words(figures: Mapping[str, float]) -> str:
    """Formats the metrics of a policy, one per line."""
    return "\n".join(f"  {name.replace('_', ' '):32} {figure_in_words(name, one)}" for name, one in figures.items())
