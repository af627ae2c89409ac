"""The executor that every node and command of the graph spins in."""

from __future__ import annotations

from rclpy import executors
from rclpy.context import Context
from rclpy.executors import Executor


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
