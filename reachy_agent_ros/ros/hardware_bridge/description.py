"""The robot's URDF on a topic, for whoever draws it."""

from __future__ import annotations

from typing import Any

from rclpy.node import Node
from rclpy.publisher import Publisher
from std_msgs.msg import String

from reachy_agent_ros.core import names
from reachy_agent_ros.robot.urdf import robot_description
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED


def publish_description(node: Node) -> Publisher[Any]:
    """Publishes `robot_description` once, latched. Keep the publisher: the text lives as long as it does.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` where the `reachy_mini` package is incomplete.
    """
    publisher = node.create_publisher(String, names.ROBOT_DESCRIPTION, LATCHED)
    publisher.publish(String(data=robot_description()))
    return publisher
