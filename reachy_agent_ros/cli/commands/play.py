"""Plays a bag to the running graph, for machines without `ros2 bag play`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options, decimal
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import show

HELP = "play a bag to the running graph: what nobody publishes now, or the topics you name"

EXAMPLES = (
    "reachy-agent play bag_1",
    "reachy-agent play bag_1 /reachy_mini/transcript --rate 2",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds which bag, how fast and what of it."""
    parser.add_argument("bag", type=Path, help="its folder, or its .mcap or .db3 file")
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help="full names; default: all that nobody publishes now")
    parser.add_argument("--rate", type=decimal(0.01, 100.0), default=1.0, metavar="FACTOR", help="2 is twice as fast")
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Plays it to its end.

    Raises:
        AgentError: `NOT_FOUND`, `INVALID_GOAL`: no bag; `INVALID_ARGUMENTS`: it holds no topic that can be played.
    """
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.topic_view import TopicView
    from reachy_agent_ros.ros.trainer.bags import BagPlayer

    with GraphClient("play", arguments.namespace) as client:
        TopicView(client).topics()  # so that those who publish and read are discovered
        player = BagPlayer(client.node, arguments.rate, arguments.topics, lambda line: print(line, file=sys.stderr))
        with cancelled_by_interrupt() as ended:
            played = player.play(arguments.bag, ended)
    show({"messages": played}, f"{played} messages were played.", arguments.json)
    return 0
