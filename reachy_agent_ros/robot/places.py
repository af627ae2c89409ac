"""Where a person wants the simulated scene's objects to stand, as text."""

from __future__ import annotations

import math

from reachy_agent_ros.core.errors import AgentError, ErrorCode

FORM = "NAME:X:Y in metres, with commas between them"
"""How it is written, for people."""


def read_places(text: str) -> dict[str, tuple[float, float]]:
    """Reads places such as `duck:-0.1:0.3,apple:0.5:0.2`; empty text places nothing.

    Returns:
        x and y in the world, m, by object.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for anything else.
    """
    places = {}
    for entry in filter(None, text.split(",")):
        try:
            name, x, y = entry.split(":")
            place = float(x), float(y)
        except ValueError:
            place = math.nan, math.nan
        if not all(map(math.isfinite, place)):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{entry!r} places no object: write {FORM}.")
        places[name.strip()] = place
    return places
