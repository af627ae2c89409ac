"""Plays back a bag to the running graph or to viewers, for machines without `ros2 bag play`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from reachy_agent_ros.cli.arguments import decimal
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the bag, the topics and the rate."""
    parser.add_argument("bag", type=Path, help="folder of the bag, or its .mcap or .db3 file")
    parser.add_argument(
        "topics", nargs="*", metavar="TOPIC", help="topic to play (default: all without a live publisher)"
    )
    parser.add_argument("--rate", type=decimal(0.01, 100.0), default=1.0, metavar="FACTOR", help="speed factor")


def run(arguments: argparse.Namespace) -> int:
    """Plays the bag to its end.

    Raises:
        AgentError: `NOT_FOUND`, `INVALID_GOAL`: there is no valid bag; `INVALID_ARGUMENTS`: no topic can be played.
    """
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.topic_view import TopicView
    from reachy_agent_ros.ros.trainer.bags import BagPlayer

    with GraphClient("play", arguments.namespace) as client:
        TopicView(client).discovered()  # waits for the publishers and subscribers of a graph, if one runs
        prefix = f"{client.node.get_namespace()}/"
        topics = [name if name.startswith("/") else f"{prefix}{name}" for name in arguments.topics]
        player = BagPlayer(client.node, arguments.rate, topics, lambda line: print(line, file=sys.stderr))
        with cancelled_by_interrupt() as ended:
            played = player.play(arguments.bag, ended)
    show({"messages": played}, f"Played {played} messages.", arguments.json)
    return 0
