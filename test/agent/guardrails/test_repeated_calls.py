import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.guardrails.repeated_calls import RepeatedCalls
from reachy_agent_ros.core.errors import AgentError, ErrorCode


def test_five_nods_may_be_asked_for_and_no_sixth() -> None:
    calls = RepeatedCalls()
    for _ in range(5):
        calls.begin("gesture", '{"gesture": "nod"}')
    with pytest.raises(AgentError) as error:
        calls.begin("gesture", '{"gesture":"nod"}')
    assert error.value.code is ErrorCode.MODEL_MISBEHAVED


@given(st.integers(1, 6), st.integers(1, 6))
def test_a_circle_of_any_length_ends(length: int, most: int) -> None:
    calls = RepeatedCalls(most)
    for number in range(length * most):
        calls.begin("move_head", json.dumps({"yaw_deg": number % length}))
    with pytest.raises(AgentError):
        calls.begin("move_head", '{"yaw_deg": 0.0}')


@given(st.lists(st.integers(), unique=True))
def test_different_calls_never_end_a_turn_and_each_counts(angles: list[int]) -> None:
    calls = RepeatedCalls(most=1)
    for angle in angles:
        calls.begin("move_head", json.dumps({"yaw_deg": angle}))
    for angle in angles:
        with pytest.raises(AgentError):
            calls.begin("move_head", json.dumps({"yaw_deg": angle}))


def test_what_failed_twice_is_not_tried_again() -> None:
    calls = RepeatedCalls()
    for _ in range(2):
        calls.begin("find_object", '{"name": "cup", "wide": true}')
        calls.failed("find_object", '{"wide": true, "name": "cup"}')
    calls.begin("find_object", '{"name": "plant"}')
    with pytest.raises(AgentError) as error:
        calls.begin("find_object", '{"name": "cup", "wide": true}')
    assert "failed 2 times" in error.value.message


@given(st.text())
def test_any_arguments_can_be_counted(arguments: str) -> None:
    calls = RepeatedCalls(most=1)
    calls.begin("tool", arguments)
    with pytest.raises(AgentError):
        calls.begin("tool", arguments)
