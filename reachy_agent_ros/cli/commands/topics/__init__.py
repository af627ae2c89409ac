"""Lists, prints, measures, records and plays back topics, for machines without the `ros2` command."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.commands.topics import echo, hz, play, record
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, show_json, show_table

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.topic_view import Topic

GROUP = Group.INSPECT

HELP = "list, print, measure, record or play back topics of the running graph"

EXAMPLES = (
    "reachy-agent topics",
    "reachy-agent topics --json | jq -r .name",
    "reachy-agent topics echo robot_state",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list, graph=True)
    choices.add("list", "list topics, their types, and numbers of publishers and subscribers", _list)
    echo.add_arguments(
        choices.add("echo", "print the messages of a topic until Ctrl-C", echo.run, example="robot_state --count 1")
    )
    hz.add_arguments(
        choices.add("hz", "measure the rate of a topic until Ctrl-C", hz.run, example="joint_states --window 5s")
    )
    record.add_arguments(
        choices.add(
            "record",
            "record topics into a bag (MCAP) for ros2 bag, rosbags and Foxglove, until Ctrl-C",
            record.run,
            example="joint_states head_pose --for 30s",
        )
    )
    play.add_arguments(
        choices.add(
            "play",
            "play back a recorded bag to viewers such as rviz, or topics of it to the running graph",
            play.run,
            example="bag_1",
        )
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns 0.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; or an error of the subcommand.
    """
    return int(arguments.subcommand(arguments))


def _list(arguments: argparse.Namespace) -> int:
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
    """Returns the table row of a topic, dimmed if the topic has no publisher."""
    style = "" if topic.publishers else "dim"
    texts = (topic.name, topic.type, str(topic.publishers), str(topic.subscribers))
    return tuple(Cell(text, style) for text in texts)
