"""Lists the topics of the running graph, for machines without `ros2 topic list`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.output import Cell, Row, show_json, show_table

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.topic_view import Topic

HELP = "list the topics of the running graph, their types, and numbers of publishers and subscribers"

EXAMPLES = (
    "reachy-agent topics",
    "reachy-agent topics --json | jq -r .name",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the namespace and the output format."""
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Prints one line per topic.

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
    show_table(("TOPIC", "TYPE", "PUBLISHED", "READ"), map(_row, topics))
    return 0


def _row(topic: Topic) -> Row:
    """Returns the table row of a topic, dimmed without a publisher."""
    style = "" if topic.publishers else "dim"
    texts = (topic.name, topic.type, str(topic.publishers), str(topic.subscribers))
    return tuple(Cell(text, style) for text in texts)
