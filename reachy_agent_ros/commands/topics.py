"""Lists the topics of the running graph, for machines without `ros2 topic list`."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

HELP = "list the topics of the running graph, their types, and who publishes and reads them"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the namespace and the output format."""
    from reachy_agent_ros.core.names import NAMESPACE

    parser.add_argument("--namespace", default=NAMESPACE, help="namespace of the graph (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """Prints a line for each.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph runs.
    """
    from reachy_agent_ros.nodes.client import GraphClient
    from reachy_agent_ros.nodes.topic_view import TopicView

    with GraphClient("topics", arguments.namespace) as client:
        topics = TopicView(client).topics()
    width = max(len(topic.name) for topic in topics)
    kinds = max(len(topic.type) for topic in topics)
    for topic in topics:
        words = f"{topic.name:{width}}  {topic.type:{kinds}}  {topic.publishers} -> {topic.subscribers}"
        print(json.dumps(asdict(topic)) if arguments.json else words)
    return 0
