"""Program that publishes a word several times (`TOPIC WORD COUNT`), or counts the words on a topic (`TOPIC`).

The publisher waits until a subscription exists, for at most `SEARCH` seconds, and prints which nodes it found. The
subscriber prints how often each word arrived once its standard input is closed.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter

import rclpy
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.rclpy_ext.process import guard_farewell, take_leave

RATE = 100.0  # Hz
SEARCH = 10.0  # s
"""Time limit for discovery, much longer than discovery takes on an idle network."""

EVERY = QoSProfile(
    history=HistoryPolicy.KEEP_ALL,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""Profile that loses no message, even if the subscription discovers the publisher late."""


def speak(node: Node, topic: str, word: str, count: int) -> dict[str, object]:
    """Publishes the word `count` times. Returns the discovered nodes and the number of subscriptions to the topic."""
    publisher = node.create_publisher(String, topic, EVERY)
    search = Deadline(SEARCH)
    while not search.passed and not publisher.get_subscription_count():
        rclpy.spin_once(node, timeout_sec=0.1)
    heard_by = 0
    for _ in range(count):
        publisher.publish(String(data=word))
        rclpy.spin_once(node, timeout_sec=0.0)
        heard_by = max(heard_by, publisher.get_subscription_count())
        time.sleep(1.0 / RATE)
    publisher.wait_for_all_acked(Duration(seconds=SEARCH))
    others = [name for name in node.get_node_names() if name != node.get_name()]
    return {"sent": count, "heard_by": heard_by, "nodes": others}


def listen(node: Node, topic: str) -> dict[str, object]:
    """Counts the received messages until standard input is closed. Returns the count of each word."""
    heard: Counter[str] = Counter()
    node.create_subscription(String, topic, lambda message: heard.update([message.data]), EVERY)
    ended = threading.Thread(target=sys.stdin.read, daemon=True)
    ended.start()
    while ended.is_alive():
        rclpy.spin_once(node, timeout_sec=0.1)
    return {"heard": heard}


def main() -> int:
    """Publishes or subscribes, depending on the arguments, and prints the result as a JSON object."""
    topic, *said = sys.argv[1:]
    rclpy.init(args=[])
    node = Node(f"peer_{said[0] if said else 'listening'}")
    result = speak(node, topic, said[0], int(said[1])) if said else listen(node, topic)
    print(json.dumps(result), flush=True)
    guard_farewell()  # the peers of a test shut down at the same moment
    take_leave(node)
    rclpy.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
