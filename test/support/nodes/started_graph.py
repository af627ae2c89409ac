"""Complete graph, started with `reachy-agent up`, for end-to-end tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from reachy_agent_ros.settings.effective import variable
from support import failure_report
from support.domains import Purpose, domain
from support.nodes.graph_watch import GraphWatch
from support.nodes.node_process import isolate
from support.waiting import wait_until

COMMAND_TIMEOUT = 280.0
"""Timeout of a command, s: `up` waits minutes for its nodes on a busy machine."""


STILL = {variable("hardware_bridge.idle_intensity"): "0"}
"""Environment of a graph whose robot does not move unasked."""


class StartedGraph:
    """Detached graph that tests control with the command `reachy-agent`.

    Only the status is read without this command.

    Its domain differs from that of the tests of single nodes, whose stubs of other nodes would interfere.

    Args:
        directory: Folder for the state and the records of the graph.
        settings: Launch arguments of the graph.
        purpose: Purpose of the graph, which determines its domain.

    Attributes:
        environment: Environment of processes that join the graph.
        runtime: Folder of the graph's record.
        started: Result of the start command.
    """

    def __init__(self, directory: Path, *settings: str, purpose: Purpose = Purpose.GRAPH) -> None:
        isolate(directory)
        self.environment = {**os.environ, "ROS_DOMAIN_ID": domain(purpose), **STILL}
        self.runtime = directory / "runtime"
        self._watch: GraphWatch | None = None
        failure_report.register(self)
        self.started = self.command("up", "--detach", "gateway_port:=0", *settings)

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs a `reachy-agent` command."""
        return subprocess.run(
            [sys.executable, "-m", "reachy_agent_ros.cli.cli", *arguments],
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT,
            env=self.environment,
        )

    @property
    def runs(self) -> bool:
        """Returns whether the graph is running."""
        return any(self.runtime.rglob("graph.json"))

    def close(self) -> None:
        """Stops the graph if it is running."""
        failure_report.unregister(self)
        if self._watch is not None:
            self._watch.close()
        self.command("down")

    def status(self) -> dict[str, Any]:
        """Returns the output of `status --json`. The state of the agent is not included."""
        return self._watched.status()

    def node(self, name: str) -> dict[str, Any]:
        """Returns the status of one node."""
        return next(node for node in self.status()["nodes"] if node["name"] == name)

    def describe(self) -> str:
        """Returns the result of `up`, the status of every node, and the logs of the nodes that are not ready."""
        said = [f"the graph in {self.runtime}"]
        if not hasattr(self, "started"):
            return said[0] + " did not start"
        if self.started.returncode:
            said.append(f"up ended with code {self.started.returncode}: {self.started.stdout}{self.started.stderr}")
        shown = self.command("status", "--json")
        if not shown.stdout:
            return "\n  ".join([*said, f"status: {shown.stderr.strip()}"])
        for node in json.loads(shown.stdout)["nodes"]:
            said.append(f"{node['name']}: {node}")
            if node["state"] != "ready":
                said += map(failure_report.last_lines, self.runtime.glob(f"*/{node['name']}.log"))
        return "\n  ".join(said)

    def wait_back(self, old_pids: Mapping[str, int]) -> None:
        """Waits until every node is ready and each node in `old_pids` runs in a new process."""

        def back() -> bool:
            nodes = self.status()["nodes"]
            pids = {node["name"]: node["pid"] for node in nodes if node["state"] in ("ready", "degraded")}
            return len(pids) == len(nodes) and all(pids[name] != old for name, old in old_pids.items())

        wait_until(back, f"{', '.join(old_pids)} to be back", timeout=100.0)

    def joined(self) -> AbstractContextManager[None]:
        """Sets the environment variables of this process for a `with` block, so that the process can join the graph."""
        return self._watched.joined()

    @property
    def _watched(self) -> GraphWatch:
        if self._watch is None:
            self._watch = GraphWatch(self.environment)
        return self._watch
