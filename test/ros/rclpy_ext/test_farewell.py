"""The end of a node among others that come and go."""

from collections.abc import Iterator

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import Empty

from reachy_agent_ros.ros.rclpy_ext.eventless_node import EventlessNode
from reachy_agent_ros.ros.rclpy_ext.farewell import take_leave
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from support.nodes.node_process import Ros
from support.waiting import wait_until

MANY = 5


class Leaving(EventlessNode):
    """A node that is destroyed only after another has begun to publish, topic by topic, as a third has heard."""

    def __init__(self, context: Context, other: Node, witness: Node) -> None:
        super().__init__("leaving", context=context)
        self._other, self._witness = other, witness
        self.heard_of = -1

    def destroy_node(self) -> None:
        for count in range(1, MANY + 1):
            self._other.create_publisher(Empty, "/late", STANDARD)
            wait_until(lambda count=count: self._witness.count_publishers("/late") == count, 10.0, "a late publisher")
        self.heard_of = self.count_publishers("/late")
        super().destroy_node()


@pytest.fixture
def contexts(ros: Ros) -> Iterator[tuple[Context, Context]]:
    """Two, for which the middleware has a participant each."""
    pair = Context(), Context()
    for context in pair:
        rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    yield pair
    for context in pair:
        rclpy.shutdown(context=context)


def test_a_node_that_leaves_hears_of_nobody_any_more_and_is_heard_to_leave(
    ros: Ros, contexts: tuple[Context, Context]
) -> None:
    one, two = contexts
    other = EventlessNode("other", context=two)
    other.create_publisher(Empty, "/early", STANDARD)
    leaving = Leaving(one, other, ros.node)
    wait_until(lambda: leaving.count_publishers("/early") == 1, 10.0, "the node to hear of others")
    wait_until(lambda: "leaving" in ros.node.get_node_names(), 10.0, "the node to be heard of")
    take_leave(leaving)
    assert leaving.heard_of == 0
    wait_until(lambda: "leaving" not in ros.node.get_node_names(), 5.0, "the node to be heard of no more")
    other.destroy_node()
