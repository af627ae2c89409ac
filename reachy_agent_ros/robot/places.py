"""Parser of object positions in the simulated scene."""

from __future__ import annotations

import math

from reachy_agent_ros.core.errors import AgentError, ErrorCode

FORM = "NAME:X:Y in meters, separated by commas"
"""Syntax of object positions, for help texts and errors."""


def read_places(text: str) -> dict[str, tuple[float, float]]:
    """Parses object positions such as `duck:-0.1:0.3,apple:0.5:0.2`. With an empty text, all objects stay in place.

    Returns:
        x and y in the world by object name, m.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if an entry is invalid.
    """
    places = {}
    for entry in filter(None, text.split(",")):
        try:
            name, x, y = entry.split(":")
            place = float(x), float(y)
        except ValueError:
            place = math.nan, math.nan
        if not all(map(math.isfinite, place)):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid position {entry!r}: expected {FORM}.")
        places[name.strip()] = place
    return places
