"""Agent whose language model does not respond.

The heartbeat reports the problem until the model responds again.
"""

from __future__ import annotations

from reachy_agent_msgs.msg import Heartbeat

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until


def test_agent_is_degraded_until_its_model_responds(ros: Ros) -> None:
    with ScriptedEndpoint() as free:
        port = free.port
    parameters = {"model_endpoint": f"http://127.0.0.1:{port}/v1", "model_name": "scripted"}
    with NodeProcess("tool_server") as tools, NodeProcess("agent", parameters) as agent:
        agent.wait_ready()
        monitor = HeartbeatMonitor(ros.node, names.AGENT)

        def said(state: int) -> bool:
            return monitor.last is not None and monitor.last.state == state

        wait_until(lambda: said(Heartbeat.DEGRADED), "the heartbeat of an agent without a model")
        assert monitor.last is not None
        assert f"http://127.0.0.1:{port}/v1 does not respond" in monitor.last.detail
        with ScriptedEndpoint(port=port):
            wait_until(lambda: said(Heartbeat.READY), "the agent to notice its model", timeout=3.0 * PATIENCE)
        assert (agent.stop(), tools.stop()) == (0, 0)
