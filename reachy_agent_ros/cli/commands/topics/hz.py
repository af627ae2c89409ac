"""Measures the rate of a topic, for machines without `ros2 topic hz`."""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import pairwise
from typing import Any

from reachy_agent_ros.cli.arguments import bounded_span, whole
from reachy_agent_ros.cli.output import show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the topic, and for the duration and the number of measurements."""
    parser.add_argument("topic", help="topic name, relative to the namespace or starting with /")
    parser.add_argument(
        "--window",
        type=bounded_span(0.1, 3600.0),
        default="2s",
        metavar="TIME",
        help="length of a measurement (default: %(default)s)",
    )
    parser.add_argument("--count", type=whole(1), default=None, metavar="N", help="exit after N measurements")


def run(arguments: argparse.Namespace) -> int:
    """Measures the rate of the topic, and prints one line per time window.

    Raises:
        AgentError: `NOT_FOUND`: the topic does not exist; `SERVER_UNAVAILABLE`: no graph is running.
    """
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.topic_view import TopicView

    moments: list[tuple[float, int]] = []
    with GraphClient("hz", arguments.namespace) as client:
        view = TopicView(client)
        with view.listening(view.find(arguments.topic), lambda data: moments.append((time.monotonic(), len(data)))):
            measured = 0
            while arguments.count is None or measured < arguments.count:
                time.sleep(arguments.window)
                window, moments[:] = list(moments), []
                found = _measured(window, arguments.window)
                show(found, _words(found), arguments.json)
                measured += 1
    return 0


def _measured(moments: list[tuple[float, int]], window: float) -> dict[str, Any]:
    times = [moment for moment, _ in moments]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    return {
        "messages": len(times),
        "rate_hz": round(len(gaps) / sum(gaps), 2) if gaps and sum(gaps) > 0.0 else None,
        "shortest_gap_s": round(min(gaps), 4) if gaps else None,
        "longest_gap_s": round(max(gaps), 4) if gaps else None,
        "deviation_s": round(statistics.pstdev(gaps), 4) if gaps else None,
        "bytes_per_s": round(sum(size for _, size in moments) / window),
    }


def _words(found: dict[str, Any]) -> str:
    if found["rate_hz"] is None:
        return f"{found['messages']} messages: too few to measure"
    gaps = f"gaps {found['shortest_gap_s'] * 1e3:.1f} to {found['longest_gap_s'] * 1e3:.1f} ms"
    deviation = f"deviation {found['deviation_s'] * 1e3:.1f} ms"
    return f"{found['rate_hz']:.2f} Hz, {gaps}, {deviation}, {found['bytes_per_s'] / 1e3:.1f} kB/s"
