"""Records topics into a bag, for machines without `ros2 bag record`."""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options, span
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import show

HELP = "record topics into a bag (MCAP) that ros2 bag, rosbags and Foxglove read; Ctrl-C ends it"

EXAMPLES = (
    "reachy-agent record",
    "reachy-agent record joint_states head_pose --out walk",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what to record, where to, and how long."""
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help="default: all of the robot's that are published")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="default: bag_ and the time, in this folder")
    parser.add_argument(
        "--for", dest="seconds", type=span, default=math.inf, metavar="TIME", help="end by itself: 30s, 5m"
    )
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Records, and prints a summary.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph runs; `NOT_FOUND`: no such topic; `INVALID_ARGUMENTS`: the folder
            exists; `STORAGE_FAILED`.
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
            print(f"{len(topics)} topics go to {folder}.", file=sys.stderr)
        with cancelled_by_interrupt() as ended:
            recorder.record(ended, arguments.seconds)
    found = {"bag": str(folder), "messages": recorder.recorded, "dropped": recorder.dropped}
    lost = f", {recorder.dropped} came too fast for the disk" if recorder.dropped else ""
    show(found, f"{recorder.recorded} messages are in {folder}{lost}.", arguments.json)
    return 0
