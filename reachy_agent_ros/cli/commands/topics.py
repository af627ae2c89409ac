"""Lists the topics of the running graph, for machines without `ros2 topic list`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.output import Cell, show_json, show_table

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.topic_view import Topic

HELP = "list the topics of the running graph, their types, and who publishes and reads them"

EXAMPLES = (
    "reachy-agent topics",
    "reachy-agent topics --json | jq -r .name",
)


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
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.topic_view import TopicView

    with GraphClient("topics", arguments.namespace) as client:
        topics = TopicView(client).topics()
    if arguments.json:
        for topic in topics:
            show_json(asdict(topic))
        return 0
    show_table(("TOPIC", "TYPE", "PUBLISHED", "READ"), [_row(topic) for topic in topics])
    return 0


def _row(topic: Topic) -> tuple[Cell, ...]:
    """Grey where nobody publishes."""
    style = "" if topic.publishers else "dim"
    texts = (topic.name, topic.type, str(topic.publishers), str(topic.subscribers))
    return tuple(Cell(text, style) for text in texts)
