from __future__ import annotations

from reachy_agent_msgs.msg import BargeIn, RobotState, Transcript, TurnTrace

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.graph_printer import GraphPrinter
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from support.nodes.node_process import Ros
from support.waiting import wait_until


def test_printer_shows_unknown_values_of_later_version_as_numbers(ros: Ros) -> None:
    lines: list[str] = []
    GraphPrinter(ros.node, lines.append)
    state = RobotState(activity=99)
    state.head_pose.orientation.w = 1.0
    for topic, profile, message in (
        (names.TRANSCRIPT, STANDARD, Transcript(text="Hm", rejected=99, is_final=True)),
        (names.BARGE_IN, STANDARD, BargeIn(stage=99)),
        (names.TURN_TRACE, STANDARD, TurnTrace(kind=99)),
        (names.ROBOT_STATE, LATCHED, state),
    ):
        publisher = ros.node.create_publisher(type(message), topic, profile)
        wait_until(lambda publisher=publisher: publisher.get_subscription_count() > 0, f"a subscriber of {topic}")
        publisher.publish(message)
    wait_until(lambda: len(lines) == 3, "the lines")
    assert sorted(lines) == [
        'heard     "Hm" (confidence 0.00, rejected for reason 99)',
        "interrupt stage 99",
        "robot     is in state 99: head roll 0, pitch 0, yaw 0 deg, body 0 deg",
    ]
