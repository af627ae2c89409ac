"""Tells everybody what was decided and done, so that it can be judged and learned from."""

from __future__ import annotations

from reachy_agent_msgs.msg import Act as ActMessage

from reachy_agent_ros.core import names
from reachy_agent_ros.learning.act_journal import ActJournal
from reachy_agent_ros.ros.rclpy_ext.act_messages import act_message
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import RECENT


class ActLog(ActJournal):
    """Publishes `acts`.

    Args:
        node: Publishes.
    """

    def __init__(self, node: AgentNode) -> None:
        acts = node.create_publisher(ActMessage, names.ACTS, RECENT)
        super().__init__(lambda act: acts.publish(act_message(node.header(), act)))
