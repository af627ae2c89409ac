"""Serves the running graph to Foxglove, for machines without `foxglove_bridge`."""

from __future__ import annotations

import argparse

from reachy_agent_ros.cli.arguments import add_options, whole
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import configuration_file

GROUP = Group.INSPECT

HELP = "show the running graph live in Foxglove (camera, robot, plots, diagnostics) until Ctrl-C"

EXAMPLES = ("reachy-agent foxglove", "reachy-agent foxglove --port 9000")

LAYOUT = "foxglove_layout.json"
"""File name below `config/`."""

LOOK_PERIOD = 1.0
"""Period of the search for new topics, s."""

INSTALL = "pip install -c requirements/constraints.txt -r requirements/foxglove.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the port and the graph."""
    parser.add_argument(
        "--port", type=whole(0, 65535), default=8765, help="port on this machine only (default: %(default)s)"
    )
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Runs the server until Ctrl-C is pressed or the graph ends.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running, the port is taken, or the package is not installed;
            `SERVER_LOST`: the graph ended; `ROBOT_DISCONNECTED`: the `reachy_mini` package is incomplete.
    """
    from reachy_agent_ros.ros.client.client import GraphClient

    try:
        from reachy_agent_ros.ros.client.foxglove import FoxgloveServer
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "foxglove":
            raise
        message = f"The package foxglove-sdk is not installed: {INSTALL}"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from error
    with GraphClient("foxglove", arguments.namespace) as client, FoxgloveServer(client, arguments.port) as server:
        server.look()
        _tell(server.url, arguments.json)
        with cancelled_by_interrupt() as ended:
            while not ended.wait(LOOK_PERIOD):
                if client.outdated:
                    raise AgentError(ErrorCode.SERVER_LOST, "The graph has ended.")
                server.look()
    return 0


def _tell(url: str, as_json: bool) -> None:
    layout = str(configuration_file(LAYOUT))
    words = f"Open {url} in Foxglove (as a Foxglove WebSocket) and import the layout {layout}. Stop with Ctrl-C."
    show({"url": url, "layout": layout}, words, as_json)
