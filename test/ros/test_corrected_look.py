"""Correction of a camera mounting error with one spoken sentence.

The test uses vision, tools, feedback and the trainer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from reachy_agent_msgs.msg import ActionRecord as ActionRecordMessage
from reachy_agent_msgs.msg import PolicyUpdate, Reward
from reachy_agent_msgs.srv import SetPolicy
from std_msgs.msg import String

from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import rpy_from_matrix
from reachy_agent_ros.ros.action_records import act_from_message
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, RECENT
from support.nodes.correcting_node import correcting
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.nodes.tool_client import ToolClient
from support.waiting import wait_until

ASKEW = "0.0,0.12,0.0"
"""Wrong camera mounting, rad: configured 7 degrees too far down, so that objects seem lower than they are."""


class Person:
    """Simulated person who asks the robot to look at an object and gives feedback."""

    def __init__(self, ros: Ros, corrections: str) -> None:
        node = ros.node
        self.robot = ToolClient(ros)
        self.acts: list[ActionRecordMessage] = []
        self.rewards: list[Reward] = []
        self.lessons: list[PolicyUpdate] = []
        node.create_subscription(ActionRecordMessage, names.ACTION_RECORDS, self.acts.append, RECENT)
        node.create_subscription(Reward, names.REWARD, self.rewards.append, CALLS)
        node.create_subscription(PolicyUpdate, names.POLICY_UPDATES, self.lessons.append, CALLS)
        self.feedback = node.create_publisher(String, names.FEEDBACK, CALLS)
        self.policies = ServiceCaller(node, SetPolicy, names.SET_POLICY, HeartbeatMonitor(node, corrections))
        self.robot.wait_joined()
        wait_until(lambda: self.feedback.get_subscription_count() > 0, "feedback to listen")
        wait_until(lambda: node.count_publishers(names.REWARD) > 0, "rewards")

    def look(self) -> float:
        """Makes the robot look at the apple. Returns the resulting head pitch (degrees, positive below the horizon)."""
        self.robot.at_rest_facing(0.0)
        self.robot.result("look_at_object", name="apple")
        return math.degrees(rpy_from_matrix(transform_from_pose(self.robot.state().head_pose))[1])

    def say(self, text: str) -> PolicyUpdate:
        before = len(self.lessons)
        self.feedback.publish(String(data=text))
        wait_until(lambda: len(self.lessons) > before, "a lesson")
        return self.lessons[-1]


@pytest.fixture(scope="module")
def person(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    folder: Path = tmp_path_factory.mktemp("corrected_look")
    state = {"directory": str(folder)}
    with (
        NodeProcess("hardware_bridge", {"scene": "minimal"}) as bridge,
        NodeProcess("camera", {"scene": "minimal"}) as camera,
        NodeProcess("vision", {"eye_mounting": ASKEW}) as vision,
        NodeProcess("tool_server", state) as tools,
        NodeProcess("feedback", state) as feedback,
        correcting(folder) as corrections,
    ):
        for node in (bridge, camera, vision, tools, feedback):
            node.wait_ready()
        yield Person(ros, corrections.name)
        for node in (feedback, tools, vision, camera, bridge):
            assert node.stop() == 0


@pytest.mark.nightly
def test_feedback_raises_next_gaze_until_rollback(person: Person) -> None:
    before = person.look()
    lesson = person.say("too far down")
    assert (lesson.skill, lesson.learned) == ("look_at_object", True), lesson.reason
    (judged,) = [act for act in map(act_from_message, person.acts) if act.policy_version and act.outcome]
    assert (judged.skill, judged.policy_version, judged.outcome["success"]) == ("look_at_object", "0", 1.0)
    after = person.look()
    assert after < before - 2.0
    person.policies.call(SetPolicy.Request(skill="look_at_object", operation=SetPolicy.Request.ROLL_BACK), 10.0)
    assert person.look() == pytest.approx(before, abs=1.5)
