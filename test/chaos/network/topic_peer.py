"""One end of a topic, as a program: `TOPIC WORD COUNT` says a word, `TOPIC` counts words.

Who speaks sends so many messages once somebody hears them, or after a while to nobody, and prints whom it found. Who
listens prints how often it heard which word when its input ends.
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

RATE = 100.0  # Hz
SEARCH = 10.0  # s
"""Many times what a peer on a quiet network takes to be found."""

EVERY = QoSProfile(
    history=HistoryPolicy.KEEP_ALL,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""Every message arrives: a speaker knows its listener a moment before it is known, and would lose what it says then."""


def speak(node: Node, topic: str, word: str, count: int) -> dict[str, object]:
    """Says it. Returns who was there."""
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
    """Hears until the input ends. Returns how often each word came."""
    heard: Counter[str] = Counter()
    node.create_subscription(String, topic, lambda message: heard.update([message.data]), EVERY)
    ended = threading.Thread(target=sys.stdin.read, daemon=True)
    ended.start()
    while ended.is_alive():
        rclpy.spin_once(node, timeout_sec=0.1)
    return {"heard": heard}


def main() -> int:
    """Does what the arguments say, and prints one JSON object."""
    topic, *said = sys.argv[1:]
    rclpy.init(args=[])
    node = Node(f"peer_{said[0] if said else 'listening'}")
    result = speak(node, topic, said[0], int(said[1])) if said else listen(node, topic)
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
