from std_msgs.msg import Empty

from reachy_agent_ros.ros.rclpy_ext.eventless_node import EventlessNode
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from support.nodes.node_process import Ros


def test_nothing_that_a_node_publishes_or_hears_has_an_event_of_the_middleware(ros: Ros) -> None:
    node = EventlessNode("eventless", context=ros.node.context)
    try:
        node.create_publisher(Empty, "told", LATCHED)
        node.create_subscription(Empty, "heard", lambda _message: None, STANDARD)
        assert [publisher.topic_name for publisher in node.publishers if publisher.event_handlers] == []
        assert [subscription.topic_name for subscription in node.subscriptions if subscription.event_handlers] == []
        assert {"told", "heard"} <= {entity.topic_name.strip("/") for entity in (*node.publishers, *node.subscriptions)}
    finally:
        node.destroy_node()
