"""The life of a process that helps."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from reachy_agent_ros.core.errors import AgentError

NICENESS = 5
"""Of its scheduling: the robot's own ears, eyes and voice come first."""


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answers requests, a line of JSON each, until standard input ends, which it does when the gateway dies.

    Args:
        answer: Does the work; an `AgentError` is told, anything else ends the process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the gateway, which then closes our input
    os.nice(NICENESS)
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints must not be taken for an answer
    for line in sys.stdin:
        try:
            result = answer(json.loads(line))
        except AgentError as error:
            result = {"error": error.code.name, "message": error.message}
        print(json.dumps(result), file=told, flush=True)
