from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from reachy_agent_msgs.action import RecordDemonstration
from sensor_msgs.msg import JointState

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.trainer_client import LIMIT, TrainerClient
from support.waiting import wait_until

ELSEWHERE = "joint_states_elsewhere"


@pytest.fixture
def client(ros: Ros, tmp_path: Path) -> Iterator[TrainerClient]:
    """Client of a trainer that receives no joint states.

    The bridge publishes them on another topic.
    """
    with (
        NodeProcess("hardware_bridge", {"breathing_pause": 0.0}, remap={names.JOINT_STATES: ELSEWHERE}) as bridge,
        NodeProcess("trainer", {"directory": str(tmp_path), "niceness": 0}) as trainer,
    ):
        bridge.wait_ready()
        trainer.wait_ready()
        client = TrainerClient(ros)
        wait_until(lambda: client.trainer.ready and bool(client.statuses), timeout=LIMIT)
        yield client


def recorded(client: TrainerClient, seconds: float = 0.5) -> RecordDemonstration.Result:
    goal = RecordDemonstration.Goal(
        skill="still", method=RecordDemonstration.Goal.TELEOPERATION, time_allowance=duration_message(seconds)
    )
    return client.begin(client.records, goal).result(LIMIT)


def test_recording_requires_joint_states(client: TrainerClient, tmp_path: Path) -> None:
    demonstrations = Demonstrations(tmp_path / "demonstrations")
    refused = recorded(client)
    assert refused.error_code == ErrorCode.NO_DATA, refused.error_msg
    assert demonstrations.listed() == []
    joints = client.node.create_publisher(JointState, names.JOINT_STATES, STANDARD)
    client.node.create_subscription(JointState, ELSEWHERE, joints.publish, STANDARD)
    accepted = recorded(client, 5.0)  # this process forwards the joint states, with pauses on a busy machine
    assert accepted.error_code == ErrorCode.NONE, accepted.error_msg
    assert demonstrations.bag(demonstrations.find(accepted.demonstration)).trajectory().duration > 0.0
