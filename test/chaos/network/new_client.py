"""Program that calls a service of a node several times, each time with a new client.

Usage: `new_client.py NODE CALLS`.

It prints the response times in seconds as a JSON list, with null for a timeout.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from rcl_interfaces.srv import ListParameters
from rclpy.client import Client

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor

JOINING = 60.0  # s
PATIENCE = 15.0  # s


def ask(client: GraphClient, server: HeartbeatMonitor) -> float | None:
    """Calls the service with a new client. Returns the response time (s), or None after a timeout."""
    caller = ServiceCaller(client.node, ListParameters, f"{server.name}/list_parameters", server)
    began = time.monotonic()
    try:
        caller.call(ListParameters.Request(), PATIENCE)
    except AgentError as error:
        if error.code is ErrorCode.TIMEOUT:
            return None
        raise
    return time.monotonic() - began


def main(name: str, calls: int) -> None:
    """Waits until the node is discovered, calls its service, and prints the response times."""
    with GraphClient("new_client", NAMESPACE) as client:
        server = HeartbeatMonitor(client.node, name)
        service: Client[Any, Any] = client.node.create_client(ListParameters, f"{name}/list_parameters")
        joining = Deadline(JOINING)
        while not (server.alive and service.service_is_ready()):
            assert not joining.passed, f"{name} was not discovered"
            client.pause()
        print(json.dumps([ask(client, server) for _ in range(calls)]))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
