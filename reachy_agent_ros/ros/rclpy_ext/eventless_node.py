"""The node class and the executor of every node and command, without the deadlock of rclpy's middleware events."""

from __future__ import annotations

from typing import Any

from rclpy import executors
from rclpy.context import Context
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.executors import Executor
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.subscription import Subscription


class EventlessNode(Node):
    """Base of every node that spins in `create_executor`'s executor.

    rclpy listens to two events of each publisher and subscription. With the executor that events wake, the thread that
    takes one and the thread of the middleware that brings another can each hold the lock that the other one waits for:
    then the node neither hears nor works any more (ros2/rmw_fastrtps#890, mended on its main branch in June 2026).
    What is lost are warnings of partners whose quality of service does not fit.
    """

    def create_publisher(self, *args: Any, **options: Any) -> Publisher[Any]:
        """As of every node."""
        none = PublisherEventCallbacks(use_default_callbacks=False)
        return super().create_publisher(*args, **{"event_callbacks": none, **options})

    def create_subscription(self, *args: Any, **options: Any) -> Subscription[Any]:
        """As of every node."""
        none = SubscriptionEventCallbacks(use_default_callbacks=False)
        return super().create_subscription(*args, **{"event_callbacks": none, **options})


def create_executor(context: Context | None = None) -> Executor:
    """One thread, woken by events where rclpy can do that.

    The older kind builds its wait set anew for every callback, which costs a node of twenty entities a millisecond.

    Args:
        context: Of the nodes; the default context if none is given.
    """
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:  # ROS 2 Jazzy
        return executors.SingleThreadedExecutor(context=context)
    executor: Executor = EventsExecutor(context=context)
    return executor
