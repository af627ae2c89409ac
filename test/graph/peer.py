"""One end of a conversation between machines: sends a word for ever, or counts the words it hears and prints them.

Arguments: `send WORD`, or `listen WORD`, which ends after it has heard WORD for `ENOUGH` messages.
"""

import json
import sys
from collections import Counter

import rclpy
from rclpy.node import Node
from std_msgs.msg import String

from reachy_agent_ros.core.names import FEEDBACK, NAMESPACE
from reachy_agent_ros.nodes.qos import STANDARD

PERIOD = 0.05
ENOUGH = 100
"""Five seconds of messages: many times what an attacker needs to be discovered."""

role, word = sys.argv[1:]
rclpy.init()
node = Node(f"{role}_{word}", namespace=NAMESPACE)
if role == "send":
    publisher = node.create_publisher(String, FEEDBACK, STANDARD)
    node.create_timer(PERIOD, lambda: publisher.publish(String(data=word)))
    rclpy.spin(node)
heard: Counter[str] = Counter({"own": 0, "evil": 0})
node.create_subscription(String, FEEDBACK, lambda message: heard.update([message.data]), STANDARD)
while heard[word] < ENOUGH:
    rclpy.spin_once(node)
print(json.dumps(heard))
