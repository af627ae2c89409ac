"""Cancellation of action goals whose client node has left the graph."""

import uuid
from typing import Any

import pytest
from reachy_agent_msgs.action import ExecuteTool

from reachy_agent_ros.ros.agent import actions
from reachy_agent_ros.ros.agent.actions import CallerWatch
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal
from support.nodes.node_process import Ros
from support.waiting import wait_until


def goal(caller_node: str) -> Goal:
    def ignore(*_told: Any) -> None:
        pass

    return Goal(uuid_message(uuid.uuid4()), ExecuteTool.Goal(caller_node=caller_node), ignore, ignore)


def test_cancels_only_goals_of_node_that_has_left_graph(ros: Ros, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "DISCOVERY_TIME", 0.0)
    watch = CallerWatch(ros.node)
    here, unnamed, ended, absent = goal(ros.node.get_fully_qualified_name()), goal(""), goal("/ended"), goal("/absent")
    for one in (here, unnamed, ended, absent):
        watch.add(one)
    watch.discard(ended)
    wait_until(lambda: absent.cancel.cancelled, "the goal to be cancelled")
    assert [one.cancel.cancelled for one in (here, unnamed, ended)] == [False] * 3
