"""Evaluates policies without the graph, and writes a report with plots."""

from __future__ import annotations

import argparse

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.evaluation.arguments import add_arguments as add_arguments


def run(arguments: argparse.Namespace) -> int:
    """Evaluates the policies, and prints the metrics and the path of the report.

    Raises:
        AgentError: Error of `contender` or `EvaluationPlan`; `STORAGE_FAILED`: the report cannot be written;
            `SERVER_UNAVAILABLE`: the learning packages are not installed.
    """
    try:
        from reachy_agent_ros.learning.evaluation.__main__ import run as evaluate
    except ImportError as error:
        message = f"The package {error.name} is not installed. Run scripts/setup --learning"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from error
    return evaluate(arguments)
