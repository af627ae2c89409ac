"""Helpers that wait for a condition with a timeout."""

import time
from collections.abc import Callable

from support import failure_report

PATIENCE = 60.0
"""Default timeout, s. On a busy machine, a node takes up to a minute to start."""


def wait_until(condition: Callable[[], bool], what: str = "the condition", timeout: float = PATIENCE) -> None:
    """Polls `condition` until it is true.

    Args:
        condition: Predicate, called from this thread about every 10 ms.
        what: Description of the condition, for the failure message.
        timeout: Timeout, s.

    Raises:
        AssertionError: The condition did not become true in time. The message ends with the failure report.
    """
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() >= end:
            raise AssertionError(f"waited {timeout} s for {what}\n{failure_report.report()}".rstrip())
        time.sleep(0.01)
