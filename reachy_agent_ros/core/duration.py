"""Durations as people type them."""

from __future__ import annotations

import re

LONGEST = 1e9
"""Seconds, some thirty years; a message holds twice as many."""

_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|min|h|d)", re.ASCII)
_SECONDS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def duration(text: str) -> float:
    """Seconds of "90s", "10m", "10min", "2h" or "7d".

    Raises:
        ValueError: It is none, or none that anybody waits for.
    """
    written = _WRITTEN.fullmatch(text)
    seconds = float(written[1]) * _SECONDS[written[2]] if written else 0.0
    if not 0.0 < seconds <= LONGEST:
        raise ValueError(f"{text!r:.40} is no duration like 90s, 10m, 2h or 7d")
    return seconds
