"""Prints the messages of a topic, for machines without `ros2 topic echo`."""

from __future__ import annotations

import argparse
import json
from itertools import islice
from typing import Any

from reachy_agent_ros.cli.arguments import whole
from reachy_agent_ros.cli.output import show

LONGEST = 16
"""Maximum number of list elements that are shown to a person."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the topic and the number of messages."""
    parser.add_argument("topic", help="topic name, relative to the namespace or starting with /")
    parser.add_argument("--count", type=whole(1), default=None, metavar="N", help="exit after N messages")


def run(arguments: argparse.Namespace) -> int:
    """Prints each message as it arrives.

    Raises:
        AgentError: `NOT_FOUND`: the topic does not exist; `SERVER_UNAVAILABLE`: no graph is running.
    """
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.topic_view import TopicView
    from reachy_agent_ros.ros.rclpy_ext.convert import message_json

    with GraphClient("echo", arguments.namespace) as client:
        view = TopicView(client)
        with view.messages(view.find(arguments.topic)) as messages:
            for message in islice(messages, arguments.count):
                fields = message_json(message)
                show(fields, "\n".join([*_lines(fields), "---"]), arguments.json)
    return 0


def _lines(value: Any, indent: str = "") -> list[str]:
    lines = []
    for name, inner in value.items():
        if isinstance(inner, dict):
            lines += [f"{indent}{name}:", *_lines(inner, f"{indent}  ")]
        elif isinstance(inner, list) and inner and isinstance(inner[0], dict):
            lines.append(f"{indent}{name}:")
            for each in inner:
                first, *rest = _lines(each, f"{indent}    ") or [f"{indent}    "]
                lines += [f"{indent}  - {first.lstrip()}", *rest]
        else:
            lines.append(f"{indent}{name}: {_short(inner)}")
    return lines


def _short(value: Any) -> str:
    if isinstance(value, list) and len(value) > LONGEST:
        return f"{json.dumps(value[:LONGEST])[:-1]}, ... {len(value)} in all]"
    return json.dumps(value)
