"""Evaluates policies without the graph, and writes a page with plots."""

from __future__ import annotations

import argparse

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.evaluation.arguments import add_arguments as add_arguments

HELP = "play policies in simulation, without the graph, and write a page of how well they do"

EXAMPLES = (
    "reachy-agent report",
    "reachy-agent report nod --episodes 20 --out report",
)


def run(arguments: argparse.Namespace) -> int:
    """Plays, and prints the figures and where the page is.

    Raises:
        AgentError: As `contender` and `Plan`; `STORAGE_FAILED` where the page cannot be written;
            `SERVER_UNAVAILABLE` where the packages of learning are not installed.
    """
    try:
        from reachy_agent_ros.learning.evaluation.__main__ import run as evaluate
    except ImportError as error:
        message = f"This needs {error.name}, which is not installed: scripts/setup --learning"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from error
    return evaluate(arguments)
