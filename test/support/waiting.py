"""Waiting for a state instead of for a time."""

import time
from collections.abc import Callable

from support import failure_report


def wait_until(condition: Callable[[], bool], timeout: float, what: str = "the condition") -> None:
    """Polls `condition` until it holds.

    Args:
        condition: Is called from this thread, about every 10 ms.
        timeout: Seconds.
        what: What is awaited, for the message of the failure.

    Raises:
        AssertionError: It did not hold in time; the message ends with what the objects under test say.
    """
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() >= end:
            raise AssertionError(f"waited {timeout} s in vain for {what}\n{failure_report.report()}".rstrip())
        time.sleep(0.01)
