from __future__ import annotations

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.ros.client import emergency_stop
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.client.observer import observe
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import wait_until


def _stop_reason() -> str | None:
    """Returns the reason for the emergency stop that the status shows; None if it shows no node."""
    try:
        return observe(NAMESPACE, timeout=3.0, until_ready=False).emergency_stop
    except AgentError:
        return None


def test_status_shows_emergency_stop_until_reset(ros: Ros) -> None:
    with NodeProcess("hardware_bridge", {"scene": "empty"}) as bridge:
        bridge.wait_ready()
        wait_until(lambda: _stop_reason() == "", "a graph without an emergency stop")
        with GraphClient("test", NAMESPACE) as client:
            client.watch("hardware_bridge")
            emergency_stop.stop(client)
            wait_until(_stop_reason, "the reason for the emergency stop")
            emergency_stop.reset(client)
        wait_until(lambda: _stop_reason() == "", "the reset emergency stop")
