"""Real agent without a robot, in a graph that commands can join."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.msg import AgentState

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import AGENT, AGENT_STATE, CALL_TOOL, NAMESPACE
from reachy_agent_ros.ros.client.client import GraphClient, NodeClient, joined
from support.domains import Purpose
from support.logged_process import LoggedProcess
from support.nodes.node_process import isolated
from support.nodes.observed_calls import ActionCaller
from support.waiting import PATIENCE

CallTool = Callable[[str, str], Future[ExecuteTool.Result]]


@contextmanager
def agent_process(directory: Path, *others: str, purpose: Purpose = Purpose.AGENT) -> Iterator[dict[str, str]]:
    """Runs an agent in an isolated graph. Yields the environment of processes that join it.

    Args:
        directory: Folder for the agent's files.
        others: Other nodes of the graph.
        purpose: Purpose of the graph, which determines its domain.
    """
    with isolated(directory, purpose):
        environment = dict(os.environ)
    with ExitStack() as processes:
        for name in ("agent", *others):
            command = [sys.executable, "-m", f"reachy_agent_ros.ros.{name}.{name}"]
            processes.enter_context(LoggedProcess(command, name, environment))
        yield environment


@contextmanager
def tool_caller() -> Iterator[CallTool]:
    """Yields a function that calls tools of the agent, as another program would."""
    with GraphClient("test", NAMESPACE) as client, ThreadPoolExecutor() as pool:
        caller = ActionCaller(client.node, ExecuteTool, CALL_TOOL, client.watch(AGENT))

        def call(tool: str, arguments_json: str) -> Future[ExecuteTool.Result]:
            goal = ExecuteTool.Goal(name=tool, arguments_json=arguments_json, caller="test")
            return pool.submit(caller.call, goal, PATIENCE)

        yield call


def agent_runs() -> bool:
    """Returns whether heartbeats of the agent are received."""
    with contextlib.suppress(AgentError), GraphClient("test", NAMESPACE) as client:
        NodeClient(client, AGENT)
        return True
    return False


def agent_state() -> AgentState:
    """Returns the latest published state of the agent."""
    with joined(AGENT, "test_state", NAMESPACE) as mind:
        return mind.latest(AgentState, AGENT_STATE)
