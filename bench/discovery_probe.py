"""Probe node that has as many topics and services as a node of the graph, and reports discovered processes.

`python -m bench.discovery_probe NUMBER COUNT` prints `PID 0 TIME` when its node exists, and `PID HEARD_PID TIME` for
each new process that it hears. Times are seconds of the steady clock, which all processes of a machine share.
"""

from __future__ import annotations

import os
import sys
import time

import rclpy
from rclpy.signals import SignalHandlerOptions
from reachy_agent_msgs.msg import Heartbeat
from std_msgs.msg import String
from std_srvs.srv import Trigger

from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.heartbeat import heartbeat_topic
from reachy_agent_ros.ros.rclpy_ext.process import create_executor
from reachy_agent_ros.ros.rclpy_ext.qos import HEARTBEAT, STANDARD

NAMES = 12  # of services, clients, publishers and subscriptions each


def run() -> None:
    """Runs the probe node until the process is killed."""
    number, count = map(int, sys.argv[1:])
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = AgentNode(f"joining_{number}")
    tell(0)
    known: set[int] = set()

    def hear(beat: Heartbeat) -> None:
        if beat.pid not in known:
            known.add(beat.pid)
            tell(beat.pid)

    for other in range(count):
        if other != number:
            node.create_subscription(Heartbeat, heartbeat_topic(f"joining_{other}"), hear, HEARTBEAT)
    following = (number + 1) % count
    for name in range(NAMES):
        node.create_service(Trigger, f"service_{number}_{name}", lambda _request, response: response)
        node.create_client(Trigger, f"service_{following}_{name}")
        node.create_publisher(String, f"topic_{number}_{name}", STANDARD)
        node.create_subscription(String, f"topic_{following}_{name}", lambda _message: None, STANDARD)
    node.state = Heartbeat.READY
    executor = create_executor()
    executor.add_node(node)
    while True:
        executor.spin_once(timeout_sec=0.1)


def tell(pid: int) -> None:
    """Prints the process id of another probe that this probe has discovered; 0 reports the start of this probe."""
    print(os.getpid(), pid, time.monotonic(), flush=True)


if __name__ == "__main__":
    run()
