"""Waiting for a state instead of for a time."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], timeout: float, what: str = "the condition") -> None:
    """Polls `condition` until it holds; fails with the name of what was awaited after `timeout` seconds."""
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, f"waited {timeout} s in vain for {what}"
        time.sleep(0.01)
