"""Request to a running supervisor to restart nodes.

The request is a file next to the supervisor's record. A signal announces the request.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Collection
from pathlib import Path

from reachy_agent_ros.supervision.record import GraphRecord, graph_directory

RESTART_SIGNAL = signal.SIGUSR1
"""Signal that makes the supervisor read the file."""


def request_restart(record: GraphRecord, nodes: Collection[str]) -> None:
    """Asks the supervisor to restart nodes.

    Args:
        record: Record of a graph whose nodes have been started: before that, the signal would end the supervisor.
        nodes: Names of nodes in the record.
    """
    path = _path(record.arguments["namespace"])
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(sorted(nodes)))
    draft.replace(path)
    os.kill(record.supervisor.pid, RESTART_SIGNAL)


def take_restart_request(namespace: str) -> list[str]:
    """Returns the names of the nodes to restart, and deletes the request.

    The result is empty if no valid request exists. A request that is not JSON is not deleted.
    """
    path = _path(namespace)
    try:
        names = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return []
    path.unlink(missing_ok=True)
    return names if isinstance(names, list) else []


def _path(namespace: str) -> Path:
    return graph_directory(namespace) / "restart.json"
