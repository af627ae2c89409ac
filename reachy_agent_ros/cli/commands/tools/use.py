"""Calling a tool from the command line."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LONGEST = 4210.0
"""s for a call: the longest a person may take to approve it, the longest a tool may run, and a margin."""


def run_tool(arguments: argparse.Namespace) -> None:
    """Calls it by the agent, so that permissions hold and the audit log knows; prints its result."""
    from reachy_agent_msgs.action import ExecuteTool

    from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
    from reachy_agent_ros.core.names import AGENT, CALL_TOOL
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller

    def tell(feedback: Any) -> None:
        if feedback.status:
            print(feedback.status, file=sys.stderr)

    with cancelled_by_interrupt() as token, GraphClient("tools", arguments.namespace) as client:
        caller = ActionCaller(client.node, ExecuteTool, CALL_TOOL, client.watch(AGENT))
        goal = ExecuteTool.Goal(name=arguments.name, arguments_json=arguments.arguments, caller="command line")
        result = caller.call(goal, LONGEST, token, tell)
    if result.error_code != ErrorCode.NONE:
        raise AgentError(ErrorCode(result.error_code), result.error_msg)
    value = json.loads(result.result_json)
    show({"name": arguments.name, "result": value}, json.dumps(value, indent=2), arguments.json)
