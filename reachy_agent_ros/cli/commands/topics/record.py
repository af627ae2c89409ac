"""Records topics into a bag, for machines without `ros2 bag record`."""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

from reachy_agent_ros.cli.arguments import span
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the topics, the output folder and the duration."""
    parser.add_argument(
        "topics", nargs="*", metavar="TOPIC", help="topic to record (default: all published topics of the robot)"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="folder to create (default: bag_ and the time)")
    parser.add_argument("--for", dest="seconds", type=span, default=math.inf, metavar="TIME", help="duration: 30s, 5m")


def run(arguments: argparse.Namespace) -> int:
    """Records the topics, and prints a summary.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `NOT_FOUND`: a topic does not exist; `INVALID_ARGUMENTS`:
            the folder exists; `STORAGE_FAILED`.
    """
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.topic_view import TopicView
    from reachy_agent_ros.ros.trainer.bags import BagRecorder

    folder = arguments.out or Path(time.strftime("bag_%Y-%m-%d_%H-%M-%S"))
    with GraphClient("record", arguments.namespace) as client:
        view = TopicView(client)
        topics = [view.find(name) for name in arguments.topics] or view.published()
        recorder = BagRecorder(view, topics, folder)
        if not arguments.json:
            print(f"Recording {len(topics)} topics to {folder}.", file=sys.stderr)
        with cancelled_by_interrupt() as ended:
            recorder.record(ended, arguments.seconds)
    found = {"bag": str(folder), "messages": recorder.recorded, "dropped": recorder.dropped}
    lost = f", {recorder.dropped} were dropped because the disk is too slow" if recorder.dropped else ""
    show(found, f"Recorded {recorder.recorded} messages to {folder}{lost}.", arguments.json)
    return 0
