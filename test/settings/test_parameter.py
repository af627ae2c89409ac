"""Tests of settings declarations: valid texts and values, and errors for invalid texts and values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.settings.declarations import declared
from reachy_agent_ros.settings.parameter import Parameter, as_text

SWITCH = Parameter("raw", False, "Whether")
COUNT = Parameter("threads", 1, "Threads", low=1, high=16)
SPAN = Parameter("pause", 5.0, "Pause", "s", 0.0, 60.0)
SINK = Parameter("sink", "none", "Output", choices=("none", "speaker"))
NAME = Parameter("device", "", "Device")


def refusal(parameter: Parameter, value: object) -> str:
    with pytest.raises(AgentError) as caught:
        parameter.check(value)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    return caught.value.message


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [(SWITCH, "TRUE", True), (COUNT, "16", 16), (SPAN, "2", 2.0), (SINK, "speaker", "speaker"), (NAME, "", "")],
)
def test_setting_parses_valid_text(parameter: Parameter, text: str, value: object) -> None:
    parsed = parameter.parse(text)
    assert (parsed, type(parsed)) == (value, type(value))


@pytest.mark.parametrize("text", ["a\nb", "\x00", "\x85", "\ud800", "x" * 4097])
def test_rejects_text_that_yaml_or_node_would_change(text: str) -> None:
    assert "expected one line of at most 4096 characters" in refusal(NAME, text)


@pytest.mark.parametrize(
    ("parameter", "text"),
    [(SWITCH, "yes"), (COUNT, "0"), (COUNT, "1.5"), (SPAN, "nan"), (SPAN, "inf"), (SPAN, "-1"), (SINK, "tape")],
)
def test_rejects_invalid_text_for_setting(parameter: Parameter, text: str) -> None:
    with pytest.raises(AgentError) as caught:
        parameter.parse(text)
    assert caught.value.message.startswith(f"Invalid {parameter.name} ")
    assert caught.value.message.endswith(f": expected {parameter.expected}.")


@pytest.mark.parametrize(
    ("parameter", "value"), [(SWITCH, 1), (COUNT, True), (COUNT, 1.0), (SPAN, "2"), (SPAN, True), (SINK, None)]
)
def test_rejects_setting_value_of_other_type(parameter: Parameter, value: object) -> None:
    refusal(parameter, value)


def test_error_for_number_in_place_of_text_contains_remedy() -> None:
    assert 'Write the number in quotes: "0"' in refusal(NAME, 0)


def test_error_for_number_in_place_of_choice_suggests_quotes_only_for_a_choice() -> None:
    mode = Parameter("mode", "off", "Mode", choices=("off", "1"))
    assert 'Write the number in quotes: "1"' in refusal(mode, 1)
    assert "quotes" not in refusal(mode, 2)


@pytest.mark.parametrize("parameter", [NAME, SINK, COUNT])
def test_error_for_secret_omits_secret(parameter: Parameter) -> None:
    address = "postgresql://robot:hunter2@db/feedback"
    assert "hunter2" not in refusal(parameter, address)
    with pytest.raises(AgentError, match="contains a password") as caught:
        parameter.parse(address)
    assert "hunter2" not in caught.value.message


@pytest.mark.parametrize("name", list(declared()))
def test_default_of_setting_is_valid_and_round_trips_as_text(name: str) -> None:
    parameter = declared()[name]
    assert parameter.check(parameter.default) == parameter.default
    assert parameter.parse(as_text(parameter.default)) == parameter.default


@given(st.floats(0.0, 60.0) | st.floats())
def test_number_is_accepted_exactly_within_its_range(value: float) -> None:
    if 0.0 <= value <= 60.0:
        assert SPAN.check(value) == value
        assert SPAN.parse(as_text(value)) == value
    else:
        refusal(SPAN, value)
