"""Shows the logs of the nodes, whether or not the graph is running."""

from __future__ import annotations

import argparse
import re
import sys
from collections import deque
from collections.abc import Iterable
from datetime import datetime

from reachy_agent_ros.bringup import node_names
from reachy_agent_ros.cli.arguments import add_options, moment, whole
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import replace_unprintable, show
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.supervision.log_reader import LogLine, LogReader

GROUP = Group.RUN

HELP = "show the logs of the nodes, also after the graph has ended"

EXAMPLES = (
    "reachy-agent logs",
    "reachy-agent logs agent --since 10m --grep ERROR",
    "reachy-agent logs -f",
)

FOLLOW_PERIOD = 0.2
"""Period of the search for new lines with `--follow`, s."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the node, the filters, and the output format."""
    parser.add_argument("node", nargs="?", choices=node_names(), metavar="NODE", help="only the log of this node")
    parser.add_argument("-f", "--follow", action="store_true", help="show new lines as they are written, until Ctrl-C")
    parser.add_argument(
        "--since",
        type=moment,
        default=0.0,
        metavar="WHEN",
        help="only lines since then: 90s, 10m, 2h or an ISO 8601 date",
    )
    parser.add_argument("--grep", type=_pattern, default="", metavar="REGEX", help="only lines with a match")
    parser.add_argument(
        "-n", "--lines", type=whole(1), default=None, metavar="N", help="only the last N of these lines"
    )
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Prints the log lines, oldest first.

    Raises:
        AgentError: `NOT_FOUND`: there are no logs.
    """
    from reachy_agent_ros.supervision.record import graph_directory

    directory = graph_directory(arguments.namespace)
    reader = LogReader(directory, arguments.node or "")
    if not reader.has_logs:
        message = f"There are no logs to show in {directory}. `reachy-agent up` writes them."
        raise AgentError(ErrorCode.NOT_FOUND, message)
    replace_unprintable()
    _print(deque(_wanted(reader.lines(), arguments), arguments.lines), arguments.json)
    if arguments.follow:
        sys.stdout.flush()
        with cancelled_by_interrupt() as ended:
            while not ended.wait(FOLLOW_PERIOD):
                _print(_wanted(reader.lines(), arguments), arguments.json)
    return 0


def _wanted(lines: Iterable[LogLine], arguments: argparse.Namespace) -> Iterable[LogLine]:
    pattern = re.compile(arguments.grep)
    return (line for line in lines if line.time >= arguments.since and pattern.search(line.text))


def _print(lines: Iterable[LogLine], as_json: bool) -> None:
    from reachy_agent_ros.agent.terminal_text import plain

    width = max(map(len, node_names())) + 2
    for line in lines:
        when = datetime.fromtimestamp(line.time).isoformat(sep=" ", timespec="milliseconds")
        show(line._asdict(), f"{when} {f'[{line.node}]':{width}} {plain(line.text)}", as_json)


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"invalid regular expression {text!r:.60}: {error}") from None
    return text
