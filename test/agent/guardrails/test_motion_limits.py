import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.guardrails.motion_limits import MotionAllowance, MotionLimits
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.predefined.head import move_head
from reachy_agent_ros.tools.protocol.tools import ToolDescription

SPECIFICATION = move_head.specification
TOOL = ToolDescription(SPECIFICATION.name, SPECIFICATION.description, SPECIFICATION.schema, SPECIFICATION.time_limit)


def code(limits: MotionLimits, arguments_json: str) -> ErrorCode:
    try:
        limits.admit(TOOL, arguments_json)
    except AgentError as error:
        return error.code
    return ErrorCode.NONE


@pytest.mark.parametrize("arguments", ["", "{}", '{"yaw_deg": 30}', '{"yaw_deg": -180.0, "duration_s": 10}'])
def test_what_the_schema_allows_is_admitted(arguments: str) -> None:
    assert code(MotionLimits(), arguments) is ErrorCode.NONE


@pytest.mark.parametrize(
    "arguments",
    [
        '{"yaw_deg": 181}',
        '{"yaw_deg": NaN}',
        '{"yaw_deg": Infinity}',
        '{"yaw_deg": "30"}',
        '{"yaw": 30}',
        "[1]",
        "null",
        '{"yaw_deg": 30',
        "[" * 100_000,
    ],
)
def test_what_it_does_not_allow_is_refused_with_a_reason(arguments: str) -> None:
    with pytest.raises(AgentError) as error:
        MotionLimits().admit(TOOL, arguments)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert error.value.message.startswith("move_head: ")


@given(st.floats() | st.integers() | st.text() | st.booleans() | st.none(), st.sampled_from(["yaw_deg", "roll_deg"]))
def test_every_admitted_angle_is_one_the_tool_itself_takes(angle: object, name: str) -> None:
    arguments = json.dumps({name: angle})
    if code(MotionLimits(), arguments) is ErrorCode.NONE:
        assert getattr(SPECIFICATION.parse(arguments), name) == angle


@given(st.lists(st.floats(0.0, 10.0), max_size=12))
def test_no_turn_moves_more_than_it_may(durations: list[float]) -> None:
    limits = MotionLimits(MotionAllowance(calls=5, seconds=20.0))
    admitted = [seconds for seconds in durations if code(limits, json.dumps({"duration_s": seconds})) is ErrorCode.NONE]
    assert len(admitted) <= 5
    assert sum(admitted) <= 20.0


def test_a_refused_call_does_not_count() -> None:
    limits = MotionLimits(MotionAllowance(calls=1))
    assert code(limits, '{"yaw_deg": 181}') is ErrorCode.INVALID_ARGUMENTS
    assert code(limits, "{}") is ErrorCode.NONE
    assert code(limits, "{}") is ErrorCode.BUDGET_EXCEEDED
