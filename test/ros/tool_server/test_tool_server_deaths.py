import signal
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.tool_client import ToolClient
from support.waiting import wait_until


@contextmanager
def moving_head(ros: Ros) -> Iterator[tuple[ToolClient, Future[Any], NodeProcess, NodeProcess]]:
    """Client with a running tool call that moves the head.

    Also contains the processes of the bridge and the tool server.
    """
    with NodeProcess("hardware_bridge", {"scene": "empty"}) as bridge, NodeProcess("tool_server") as server:
        bridge.wait_ready()
        server.wait_ready()
        client = ToolClient(ros)
        client.wait_joined()
        call = client.start("move_head", yaw_deg=50.0, duration_s=8.0)
        wait_until(lambda: client.yaw() > 10.0, "the head to be on its way")
        yield client, call, bridge, server


def test_tool_call_fails_if_hardware_bridge_is_killed(ros: Ros) -> None:
    with moving_head(ros) as (client, call, bridge, server):
        bridge.process.send_signal(signal.SIGKILL)
        assert call.result(timeout=5.0).error_code == ErrorCode.SERVER_LOST
        assert client.run("get_robot_state").error_code == ErrorCode.SERVER_UNAVAILABLE
        assert server.stop(signal.SIGTERM) == 0


def test_robot_holds_pose_if_tool_server_is_killed(ros: Ros) -> None:
    with moving_head(ros) as (client, call, _bridge, server):
        server.process.send_signal(signal.SIGKILL)
        wait_until(lambda: not client.moving(), "the bridge to notice")
        assert client.yaw() < 45.0
        with pytest.raises(AgentError) as caught:
            call.result(timeout=5.0)
        assert caught.value.code is ErrorCode.SERVER_LOST
