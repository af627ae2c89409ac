"""A graph for as long as one command needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from reachy_agent_ros.cli.interrupt import ended_by_signals


@contextmanager
def own_graph(*settings: str) -> Iterator[int]:
    """Starts a graph for a `with` block, and ends it in any case: also one that did not get ready, or was interrupted.

    Args:
        settings: As those of `reachy-agent up`.

    Yields:
        The exit code of `up`: 0 where every node is ready.
    """
    from reachy_agent_ros.cli.cli import main

    with ended_by_signals():
        try:
            yield main(("up", "--detach", *settings))
        finally:
            main(("down",))
