"""Enumerations for code that runs without ROS. Their values equal the constants of ROS messages."""

from enum import IntEnum
from pathlib import Path

import pytest

from reachy_agent_ros.agent.planning.review import PlanReview
from reachy_agent_ros.agent.planning.step import StepState
from scripts.reference_pages.definitions import read_definition

MESSAGES = Path(__file__).parents[3] / "reachy_agent_msgs" / "msg"


@pytest.mark.parametrize(("mirror", "message"), [(PlanReview, "Plan"), (StepState, "PlanStep")])
def test_enumeration_matches_constants_of_ros_message(mirror: type[IntEnum], message: str) -> None:
    constants = read_definition(MESSAGES / f"{message}.msg").sections[0].constants
    assert [(item.name, int(item.value or -1)) for item in constants] == [(item.name, item.value) for item in mirror]
