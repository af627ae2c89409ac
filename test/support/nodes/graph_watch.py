"""Status of a running graph, monitored by a node that stays in the graph."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from reachy_agent_ros.bringup import selected
from reachy_agent_ros.cli.commands.status import ANSWER_TIMEOUT
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.client.observer import graph_health
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.supervision.record import GraphRecord, load


class GraphWatch:
    """Node that monitors a running graph until `close` is called.

    This is faster than the command `status`, which has to start and to discover every node each time.

    Args:
        environment: Environment of processes that join the graph.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        with self.joined():
            record = load(NAMESPACE)
            assert record is not None, "no graph is running"
            self._client = GraphClient("test_watch", NAMESPACE)
            self._client.__enter__()
            self._watches = [HeartbeatMonitor(self._client.node, node.name) for node in selected(record.arguments)]

    def close(self) -> None:
        """Leaves the graph."""
        self._client.__exit__(None, None, None)

    def status(self) -> dict[str, Any]:
        """Returns the output of `reachy-agent status --json`. The state of the agent is not included."""
        with self.joined():
            deadline = Deadline(ANSWER_TIMEOUT)
            while not self._heard(record := load(NAMESPACE)) and not deadline.passed:
                self._client.pause()
            assert record is not None, "the supervisor has ended"
            status: dict[str, Any] = json.loads(graph_health(NAMESPACE, record, self._watches).as_json())
            return status

    @contextmanager
    def joined(self) -> Iterator[None]:
        """Sets the environment variables of this process for a `with` block, so that the process can join the graph."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self._environment.items():
                if os.environ.get(name) != value:
                    patch.setenv(name, value)
            yield

    def _heard(self, record: GraphRecord | None) -> bool:
        """Returns whether the latest heartbeat of each node is from the newest process of the node."""
        pids = {} if record is None else {name: process.pid for name, process in record.nodes.items()}
        return all(watch.last is not None and watch.last.pid == pids.get(watch.name) for watch in self._watches)
