from __future__ import annotations

import math

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.request import LONGEST_TEXT, checked_speed, checked_text, checked_volume


def test_defaults_stand_for_zero() -> None:
    assert checked_speed(0.0) == 1.0
    assert checked_volume(0.0, 0.7) == 0.7


@pytest.mark.parametrize("speed", [-1.0, 0.49, 2.01, math.nan, math.inf])
def test_a_speed_out_of_range_is_refused(speed: float) -> None:
    with pytest.raises(AgentError) as refusal:
        checked_speed(speed)
    assert refusal.value.code is ErrorCode.INVALID_GOAL


@pytest.mark.parametrize("volume", [-0.1, 1.01, math.nan])
def test_a_volume_out_of_range_is_refused(volume: float) -> None:
    with pytest.raises(AgentError) as refusal:
        checked_volume(volume, 1.0)
    assert refusal.value.code is ErrorCode.INVALID_GOAL


@pytest.mark.parametrize("text", ["", " ", "\N{GRINNING FACE}"])
def test_nothing_to_say_is_refused(text: str) -> None:
    with pytest.raises(AgentError) as refusal:
        checked_text(text)
    assert refusal.value.code is ErrorCode.EMPTY_TEXT


def test_a_book_is_refused() -> None:
    with pytest.raises(AgentError, match="characters"):
        checked_text("word " * LONGEST_TEXT)
