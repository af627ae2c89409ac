from __future__ import annotations

import pytest
from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.feedback.stop_guard import SHORT, StopGuard
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from support.nodes.node_process import Ros
from support.waiting import wait_until


@pytest.mark.parametrize("text", ["Stop!", "blah. " * 3_000 + "STOP!", "blah. " * SHORT + "STOP! " + "blah. " * SHORT])
def test_urgent_stop_anywhere_in_text_stops_robot(ros: Ros, text: str) -> None:
    stops: list[bool] = []
    subscription = ros.node.create_subscription(
        Bool, names.EMERGENCY_STOP, lambda message: stops.append(message.data), STANDARD
    )
    people: list[str] = []
    guard = StopGuard(ros.node, people.append)
    wait_until(lambda: ros.node.count_subscribers(names.EMERGENCY_STOP) > 0, "a listener")
    assert guard.check(text, "Ada") is (len(text) <= SHORT)
    wait_until(lambda: stops == [True], "a stop")
    wait_until(lambda: people == ["Ada"], "the record of the stop")
    guard.close()
    ros.node.destroy_subscription(subscription)


@pytest.mark.parametrize("text", ["That stop was perfect.", "please don't stop"])
def test_mention_of_stopping_does_not_stop_robot(ros: Ros, text: str) -> None:
    guard = StopGuard(ros.node)
    assert not guard.check(text)
    guard.close()
