"""The gateway's adapter for decisions while the agent starts."""

from __future__ import annotations

import asyncio

import pytest

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.gateway.agent import RosDecisions
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from support.nodes.node_process import Ros
from support.nodes.serving_node import serving
from support.waiting import wait_until


def test_error_tells_starting_agent_from_agent_that_does_not_run(ros: Ros) -> None:
    watches = HeartbeatWatches(ros.node)
    decisions = RosDecisions(ros.node, watches)
    with pytest.raises(AgentError, match=r"agent is not running"):
        asyncio.run(decisions.approvals())
    with serving("-p", "start:=starting", "-r", f"__node:={names.AGENT}"):
        wait_until(lambda: watches.of(names.AGENT).alive, "a heartbeat")
        with pytest.raises(AgentError, match=r"agent has not published approvals yet\.") as refused:
            asyncio.run(decisions.approvals())
    assert refused.value.code is ErrorCode.SERVER_UNAVAILABLE
