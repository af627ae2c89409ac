"""A real agent without a body, which commands join as they join any graph."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from node_process import isolate
from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.msg import AgentState

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import AGENT, AGENT_STATE, CALL_TOOL, NAMESPACE
from reachy_agent_ros.nodes.calls import ActionCaller
from reachy_agent_ros.nodes.client import GraphClient
from reachy_agent_ros.nodes.node_client import NodeClient, joined

LIMIT = 30.0
"""Seconds within which anything here happens, even on a busy machine."""

CallTool = Callable[[str, str], Future[ExecuteTool.Result]]


@contextmanager
def agent_process(directory: Path) -> Iterator[dict[str, str]]:
    """Runs one in a graph that is no other test's; gives the environment of whoever joins it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("REACHY_AGENT_RUNTIME", "REACHY_AGENT_STATE", "REACHY_AGENT_CACHE"):
            patch.setenv(name, "")  # put back at the end
        patch.setenv("ROS_DOMAIN_ID", str(1 + (os.getpid() + 25) % 50))
        isolate(directory)
        environment = dict(os.environ)
    with subprocess.Popen([sys.executable, "-m", "reachy_agent_ros.nodes.agent"], env=environment) as process:
        try:
            yield environment
        finally:
            process.kill()


@contextmanager
def tool_caller() -> Iterator[CallTool]:
    """Calls its tools as another program does."""
    with GraphClient("test", NAMESPACE) as client, ThreadPoolExecutor() as pool:
        caller = ActionCaller(client.node, ExecuteTool, CALL_TOOL, client.watch(AGENT))

        def call(tool: str, arguments_json: str) -> Future[ExecuteTool.Result]:
            goal = ExecuteTool.Goal(name=tool, arguments_json=arguments_json, caller="test")
            return pool.submit(caller.call, goal, LIMIT)

        yield call


def agent_runs() -> bool:
    """Whether it is heard."""
    with contextlib.suppress(AgentError), GraphClient("test", NAMESPACE) as client:
        NodeClient(client)
        return True
    return False


def agent_state() -> AgentState:
    """What it does."""
    with joined(AGENT, "test_state", NAMESPACE) as mind:
        return mind.latest(AgentState, AGENT_STATE)
