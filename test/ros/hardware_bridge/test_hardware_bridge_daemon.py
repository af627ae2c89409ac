"""Hardware bridge with a real Reachy Mini daemon that is killed and restarted."""

from pathlib import Path

import pytest
from reachy_agent_msgs.msg import Heartbeat

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.emergency_stop import confirmed
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.nodes.bridge_client import BridgeClient, head_goal
from support.nodes.node_process import NodeProcess, Ros
from support.robot.daemon_process import running
from support.waiting import PATIENCE, wait_until

REJOIN = 60.0
"""Timeout for the start of a daemon and the connection of the bridge, s."""


@pytest.mark.daemon
def test_bridge_reconnects_to_restarted_daemon(ros: Ros, tmp_path: Path) -> None:
    with (
        running(tmp_path, "--mockup-sim") as daemon,
        NodeProcess("hardware_bridge", {"robot": "daemon", "daemon_url": daemon.url}) as process,
    ):
        process.wait_ready()
        bridge = BridgeClient(ros)
        wait_until(lambda: bridge.state().connected, "the bridge to find the daemon", timeout=REJOIN)
        assert bridge.execute(head_goal(0.4)).error_code == ErrorCode.NONE
        assert bridge.yaw() == pytest.approx(0.4, abs=0.08)
        going = bridge.begin(head_goal(-0.4, duration=8.0))
        bridge.wait_for_motion()
        daemon.kill()
        assert going.result(PATIENCE).error_code == ErrorCode.ROBOT_DISCONNECTED
        assert not bridge.state().connected
        assert bridge.execute(head_goal(0.0)).error_code == ErrorCode.ROBOT_DISCONNECTED
        daemon.start()
        wait_until(lambda: bridge.state().connected, "the bridge to find the daemon again", timeout=REJOIN)
        assert bridge.execute(head_goal(0.3)).error_code == ErrorCode.NONE
        assert process.stop() == 0


def test_bridge_runs_degraded_without_daemon(ros: Ros) -> None:
    watch = HeartbeatMonitor(ros.node, names.HARDWARE_BRIDGE)
    with NodeProcess("hardware_bridge", {"robot": "daemon", "daemon_url": "http://127.0.0.1:9"}) as process:
        process.wait_ready()
        pid = process.process.pid
        wait_until(lambda: watch.ready and watch.last is not None and watch.last.pid == pid, "its heartbeat")
        assert watch.last.state == Heartbeat.DEGRADED
        assert watch.last.detail
        bridge = BridgeClient(ros)
        assert not bridge.state().connected
        result = bridge.execute(head_goal(0.3))
        assert result.error_code == ErrorCode.ROBOT_DISCONNECTED
        assert process.stop() == 0


def test_stop_without_connection_reports_failure_and_remains_in_effect(ros: Ros) -> None:
    with NodeProcess("hardware_bridge", {"robot": "daemon", "daemon_url": "http://127.0.0.1:9"}) as process:
        process.wait_ready()
        bridge = BridgeClient(ros)
        for name in (names.HOLD, names.EMERGENCY_STOP):
            answer = bridge.triggered(name)
            assert not answer.success
            assert "did not reach the robot, so it may still move" in answer.message
            with pytest.raises(AgentError) as caught:
                confirmed(answer)
            assert caught.value.code is ErrorCode.ROBOT_DISCONNECTED
        assert bridge.state().emergency_stopped
        assert "the robot does not answer" in bridge.triggered(names.RESET_EMERGENCY_STOP).message
        assert process.stop() == 0
