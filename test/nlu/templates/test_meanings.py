"""Tests of the meanings of intents.

The clauses have unsuitable modifiers or directions, or lack values.
"""

from collections.abc import Mapping, Sequence

import pytest

from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.clause import NOTHING, Clause, Meanings
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.templates.meanings import Request, Slots, meanings_of, meanings_of_slots
from reachy_agent_ros.nlu.vocabulary import Vocabulary


def meanings(intent: str, slots: Slots, duration: float | None = None) -> Meanings:
    clause = Clause("", "", duration=duration)
    return meanings_of(intent, Request(slots, clause, Vocabulary(emotions(), ("simple_nod",)), first_dance))


@pytest.mark.parametrize("intent", ["turn_body", "tilt_head"])
def test_turn_and_tilt_accept_only_sideways_directions(intent: str) -> None:
    assert meanings(intent, {"direction": "left"}) != NOTHING
    assert meanings(intent, {"direction": "up"}) == NOTHING


def test_pause_with_duration_has_no_meaning() -> None:
    assert meanings("pause", {}) != NOTHING
    assert meanings("pause", {}, duration=5.0) == NOTHING


def found(intent: str, values: Mapping[str, Sequence[str]]) -> list[Mapping[str, object]]:
    """Returns the arguments of the tool calls that result from an intent and its slot values."""
    request = Request({}, Clause("", ""), Vocabulary(emotions(), ("simple_nod",)), first_dance)
    return [action.arguments for meaning in meanings_of_slots(intent, values, request) for action in meaning]


def test_required_slot_value_must_be_present_and_unambiguous() -> None:
    assert found("find_object", {"object": ["cup"]}) == [{"name": "cup"}]
    assert found("find_object", {}) == []
    assert found("find_object", {"object": ["cup", "apple"]}) == []


def test_look_accepts_two_directions_only_on_different_axes() -> None:
    assert found("look", {"direction": ["left", "up"]}) == [{"yaw_deg": 30.0, "pitch_deg": -20.0}]
    assert found("look", {"direction": ["left", "right"]}) == []


def test_value_implied_by_intent_overrides_slot_value() -> None:
    assert found("look direction=up", {}) == [{"pitch_deg": -20.0}]
    assert found("express_emotion emotion=joy", {"emotion": ["sadness"]}) == [{"emotion": "joy"}]


def test_direction_selects_side_of_antenna_instead_of_pose() -> None:
    assert found("antennas_down", {"direction": ["down"]}) == [{"right_deg": -120.0, "left_deg": 120.0}]
    assert found("antennas_down", {"direction": ["left", "down"]}) == [{"right_deg": 0.0, "left_deg": 120.0}]


@pytest.mark.parametrize("intent", ["speak", "remember", "again", "none"])
def test_intent_with_free_text_has_no_meaning(intent: str) -> None:
    assert found(intent, {"object": ["cup"]}) == []
