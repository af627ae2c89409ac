"""Fault 26: unauthorized requests to the gateway."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from random import Random
from types import MappingProxyType
from urllib.parse import urlsplit

from reachy_agent_msgs.msg import RobotState

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

STRANGERS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "no token": {},
        "an invalid token": {"Authorization": "Bearer 0123456789abcdef"},
        "another host's name": {"Host": "robot.example"},
        "another origin": {"Origin": "https://evil.example"},
        "a page of another site": {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    }
)
PATH = "/api/v1/tools/execute"
BODY = '{"tool_name": "rotate_body", "arguments": {"yaw_deg": 30}}'
WATCHED = 2.0  # s


class StrangersRequest:
    """Requests from a malicious web page, through DNS rebinding, or from a program without a valid token."""

    number = 26
    title = "unauthorized requests to the gateway"
    injected = "requests for a motion without a token, with an invalid one, or with a wrong Host, Origin or site"
    expected = "each request is rejected with a 4xx status, and the robot does not move"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Sends unauthorized requests to the gateway, and checks that all are rejected."""
        states: list[RobotState] = []
        graph.client.node.create_subscription(RobotState, names.ROBOT_STATE, states.append, LATCHED)
        gateway = graph.watches[names.GATEWAY].last
        assert gateway is not None
        for name in random.sample(sorted(STRANGERS), len(STRANGERS)):
            status = _ask(urlsplit(gateway.detail).port or 0, STRANGERS[name])
            yield happened(f"{name}: refused (status {status})", 400 <= status < 500)
        time.sleep(WATCHED)
        yield count("states in which somebody commands the robot", sum(bool(state.commander) for state in states[1:]))


def _ask(port: int, headers: Mapping[str, str]) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=10.0)
    try:
        connection.request("POST", PATH, BODY, {"Content-Type": "application/json", **headers})
        return connection.getresponse().status
    finally:
        connection.close()
