import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.guardrails.call_limits import MotionAllowance, MotionLimits, RepeatedCalls
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.predefined.movement import MOVEMENT_TOOLS
from reachy_agent_ros.tools.protocol.tools import ToolDescription


def test_call_limit_rejects_sixth_identical_call() -> None:
    calls = RepeatedCalls()
    for _ in range(5):
        calls.begin("gesture", '{"gesture": "nod"}')
    with pytest.raises(AgentError) as error:
        calls.begin("gesture", '{"gesture":"nod"}')
    assert error.value.code is ErrorCode.MODEL_MISBEHAVED


@given(st.integers(1, 6), st.integers(1, 6))
def test_call_limit_detects_loop_of_any_number_of_different_calls(length: int, most: int) -> None:
    calls = RepeatedCalls(most)
    for number in range(length * most):
        calls.begin("move_head", json.dumps({"yaw_deg": number % length}))
    with pytest.raises(AgentError):
        calls.begin("move_head", '{"yaw_deg": 0.0}')


@given(st.lists(st.integers(), unique=True))
def test_repetitions_of_different_calls_are_counted_separately(angles: list[int]) -> None:
    calls = RepeatedCalls(most=1)
    for angle in angles:
        calls.begin("move_head", json.dumps({"yaw_deg": angle}))
    for angle in angles:
        with pytest.raises(AgentError):
            calls.begin("move_head", json.dumps({"yaw_deg": angle}))


def test_call_limit_rejects_call_that_failed_twice() -> None:
    calls = RepeatedCalls()
    for _ in range(2):
        calls.begin("find_object", '{"name": "cup", "wide": true}')
        calls.failed("find_object", '{"wide": true, "name": "cup"}')
    calls.begin("find_object", '{"name": "plant"}')
    with pytest.raises(AgentError) as error:
        calls.begin("find_object", '{"name": "cup", "wide": true}')
    assert "failed 2 times" in error.value.message


@given(st.text())
def test_call_limit_counts_calls_with_malformed_arguments(arguments: str) -> None:
    calls = RepeatedCalls(most=1)
    calls.begin("tool", arguments)
    with pytest.raises(AgentError):
        calls.begin("tool", arguments)


SPECIFICATION = next(tool.specification for tool in MOVEMENT_TOOLS if tool.specification.name == "move_head")
TOOL = ToolDescription(SPECIFICATION.name, SPECIFICATION.description, SPECIFICATION.schema, SPECIFICATION.time_limit)


def code(limits: MotionLimits, arguments_json: str) -> ErrorCode:
    try:
        limits.admit(TOOL, arguments_json)
    except AgentError as error:
        return error.code
    return ErrorCode.NONE


@pytest.mark.parametrize("arguments", ["", "{}", '{"yaw_deg": 30}', '{"yaw_deg": -180.0, "duration_s": 10}'])
def test_motion_limits_accept_valid_arguments(arguments: str) -> None:
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
def test_motion_limits_reject_invalid_arguments_with_reason(arguments: str) -> None:
    with pytest.raises(AgentError) as error:
        MotionLimits().admit(TOOL, arguments)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert error.value.message.startswith("move_head: ")


@given(st.floats() | st.integers() | st.text() | st.booleans() | st.none(), st.sampled_from(["yaw_deg", "roll_deg"]))
def test_motion_limits_reject_angles_outside_range_of_tool(angle: object, name: str) -> None:
    arguments = json.dumps({name: angle})
    if code(MotionLimits(), arguments) is ErrorCode.NONE:
        assert getattr(SPECIFICATION.parse(arguments), name) == angle


@given(st.lists(st.floats(0.0, 10.0), max_size=12))
def test_motion_limits_restrict_number_and_duration_of_calls(durations: list[float]) -> None:
    limits = MotionLimits(MotionAllowance(calls=5, seconds=20.0))
    admitted = [seconds for seconds in durations if code(limits, json.dumps({"duration_s": seconds})) is ErrorCode.NONE]
    assert len(admitted) <= 5
    assert sum(admitted) <= 20.0


def test_rejected_call_does_not_count_toward_motion_limit() -> None:
    limits = MotionLimits(MotionAllowance(calls=1))
    assert code(limits, '{"yaw_deg": 181}') is ErrorCode.INVALID_ARGUMENTS
    assert code(limits, "{}") is ErrorCode.NONE
    assert code(limits, "{}") is ErrorCode.BUDGET_EXCEEDED
