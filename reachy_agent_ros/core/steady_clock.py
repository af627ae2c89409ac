"""Unix time that goes on evenly, whoever sets the machine's clock meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable


def steady_unix_clock() -> Callable[[], int]:
    """A clock, ns since 1970, that is right now and is never set."""
    ahead = time.time_ns() - time.monotonic_ns()
    return lambda: time.monotonic_ns() + ahead
