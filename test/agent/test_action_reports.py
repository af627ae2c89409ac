"""Replies in which the agent reports its actions."""

import json

import pytest

from reachy_agent_ros.agent import action_reports
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.tools.predefined.movement import MOVEMENT_TOOLS
from reachy_agent_ros.tools.protocol.tool_arguments import ArgumentLimitError, read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolDescription


@pytest.mark.parametrize(
    ("arguments", "reply"),
    [
        ({"yaw_deg": 30.0}, "I looked to the left."),
        ({"pitch_deg": -20.0, "yaw_deg": -30.0}, "I looked up to the right."),
        ({"x_mm": 20.0}, "I moved my head forward."),
        ({"y_mm": -10.0, "z_mm": -10.0}, "I moved my head to the right and down."),
        ({"yaw_deg": 0.0, "pitch_deg": 0.0}, "I looked straight ahead."),
    ],
)
def test_reply_describes_head_motion(arguments: dict[str, float], reply: str) -> None:
    assert action_reports.done([Action("move_head", arguments)], ["{}"]) == reply


@pytest.mark.parametrize(
    ("arguments", "reply"),
    [
        ({"yaw_deg": 360.0}, "I could not turn my body like that: my limit is 160 degrees."),
        ({"yaw_deg": 90.0, "duration_s": 60.0}, "I could not turn my body like that: my limit is 10 seconds."),
    ],
)
def test_reply_states_limit_of_rejected_motion(arguments: dict[str, float], reply: str) -> None:
    action = Action("rotate_body", arguments)
    schema = next(tool.specification.schema for tool in MOVEMENT_TOOLS if tool.specification.name == "rotate_body")
    with pytest.raises(ArgumentLimitError) as caught:
        read_arguments(ToolDescription("rotate_body", "", schema, 1.0), action.arguments_json)
    assert action_reports.failed(action, caught.value) == reply


def test_reply_states_position_of_raised_antennas() -> None:
    action = Action("set_antennas", {"right_deg": 0.0, "left_deg": 0.0, "duration_s": 1.0})
    assert action_reports.done([action], ["{}"]) == "I put my antennas up."


@pytest.mark.parametrize(
    ("level", "before", "reply"),
    [
        (40, 60, "My volume is now 40 percent."),
        (40, 40, "My volume is still 40 percent."),
        (100, 100, "My voice is already at its loudest."),
        (0, 40, "I am mute now."),
    ],
)
def test_reply_states_volume(level: int, before: int, reply: str) -> None:
    result = json.dumps({"level_percent": level, "previous_percent": before})
    assert action_reports.done([Action("set_volume", {"level_percent": level})], [result]) == reply


@pytest.mark.parametrize(
    ("code", "message", "reply"),
    [
        (ErrorCode.TOOL_FAILED, "dance failed: KeyError('yaw')", "I could not dance: something went wrong."),
        (
            ErrorCode.SERVER_LOST,
            "/reachy_mini/tool_server died while serving execute_tool.",
            "I could not dance: a part of my software has stopped.",
        ),
        (ErrorCode.UNREACHABLE, "That is too far down.", "I could not dance: that is too far down."),
    ],
)
def test_report_of_failure_has_no_technical_details(code: ErrorCode, message: str, reply: str) -> None:
    assert action_reports.failed(Action("dance", {"dance": "nod"}), AgentError(code, message)) == reply


def test_report_names_unknown_tool_in_words() -> None:
    assert action_reports.done([Action("water_plants", {})], ["{}"]) == "I used the tool water plants."
