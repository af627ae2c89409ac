from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from std_msgs.msg import Header, String

from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.robot.urdf import robot_description
from reachy_agent_ros.ros.hardware_bridge.bridge_messages import TFMessage, fixed_transforms, transform_message
from reachy_agent_ros.ros.rclpy_ext.convert import wall_stamp
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from reachy_agent_ros.vision.eye import HEAD_FROM_OPTICAL
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import wait_until


def test_frames_form_a_single_tree_from_base_link_to_camera() -> None:
    moving = transform_message(Header(frame_id=names.HEAD_BASE_FRAME), names.HEAD_FRAME, head_transform())
    pairs = {one.child_frame_id: one.header.frame_id for one in (*fixed_transforms(), moving)}
    chain = [names.CAMERA_FRAME]
    while chain[-1] in pairs:
        chain.append(pairs[chain[-1]])
    assert chain == [names.CAMERA_FRAME, names.HEAD_FRAME, names.HEAD_BASE_FRAME, names.BASE_FRAME]


def test_fixed_frames_match_urdf() -> None:
    robot = ElementTree.fromstring(robot_description())
    for one in fixed_transforms():
        joint = robot.find(f"joint[@name='{one.child_frame_id}_frame']")
        assert joint.find("parent").get("link") == one.header.frame_id
        x, y, z = (float(number) for number in joint.find("origin").get("xyz").split())
        shift = one.transform.translation
        assert (shift.x, shift.y, shift.z) == pytest.approx((x, y, z), abs=1e-4)


def test_transform_message_has_pose_of_child_frame() -> None:
    message = transform_message(Header(stamp=wall_stamp(), frame_id="head"), "camera_optical", HEAD_FROM_OPTICAL)
    rotation = message.transform.rotation
    assert [rotation.x, rotation.y, rotation.z, rotation.w] == pytest.approx([-0.5, 0.5, -0.5, 0.5])


@pytest.fixture(scope="module")
def bridge(ros: Ros) -> Iterator[NodeProcess]:
    with NodeProcess("hardware_bridge") as process:
        yield process.wait_ready()


def test_late_subscriber_receives_robot_description(ros: Ros, bridge: NodeProcess) -> None:
    texts: list[str] = []
    ros.node.create_subscription(String, names.ROBOT_DESCRIPTION, lambda message: texts.append(message.data), LATCHED)
    wait_until(lambda: bool(texts), "the description")
    assert texts == [robot_description()]


@pytest.mark.skipif(TFMessage is None, reason="tf2_msgs is not installed")
def test_subscriber_receives_complete_frame_tree(ros: Ros, bridge: NodeProcess) -> None:
    children: set[str] = set()

    def hear(message: TFMessage) -> None:
        children.update(one.child_frame_id for one in message.transforms)

    ros.node.create_subscription(TFMessage, "/tf", hear, STANDARD)
    ros.node.create_subscription(TFMessage, "/tf_static", hear, LATCHED)
    wanted = {names.HEAD_BASE_FRAME, names.HEAD_FRAME, names.CAMERA_FRAME}
    wait_until(lambda: children >= wanted, "all transforms")
