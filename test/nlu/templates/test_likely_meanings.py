"""Tests of the meanings of clauses whose intent a classifier has found."""

from collections.abc import Mapping, Sequence

import pytest

from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.clause import NOTHING, Clause
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.templates.intent_classifier import TAGS
from reachy_agent_ros.nlu.templates.languages import load_classifier
from reachy_agent_ros.nlu.templates.likely_meanings import likely_meanings
from reachy_agent_ros.nlu.templates.meanings import INTENTS, Request
from reachy_agent_ros.nlu.vocabulary import Vocabulary

REQUEST = Request({}, Clause("", ""), Vocabulary(emotions(), ("simple_nod",)), first_dance)
FREE_TEXT = {kind: f"some {kind}" for kind in TAGS[1:]}


def found(
    intent: str, listed: Mapping[str, Sequence[str]], free: Mapping[str, str] | None = None
) -> list[Mapping[str, object]]:
    """Returns the arguments of the tool calls that result from an intent, values of lists and free text."""
    return [action.arguments for meaning in likely_meanings(intent, listed, free or {}, REQUEST) for action in meaning]


def test_needed_value_must_be_present_and_unambiguous() -> None:
    assert found("tilt_head", {"direction": ["left"]}) == [{"roll_deg": -20.0}]
    assert found("tilt_head", {}) == []
    assert found("tilt_head", {"direction": ["left", "right"]}) == []


def test_needed_free_text_must_be_present() -> None:
    assert found("find_object", {}, {"object": "red scarf"}) == [{"name": "red scarf"}]
    assert found("find_object", {}) == []
    assert found("set_reminder", {}, {"text": "call mom", "time": "at six"}) == [{"text": "call mom", "time": "at six"}]
    assert found("set_reminder", {}, {"time": "at six"}) == []


def test_head_can_turn_sideways_and_up_but_not_left_and_right() -> None:
    assert found("look", {"direction": ["left", "up"]}) == [{"yaw_deg": 30.0, "pitch_deg": -20.0}]
    assert found("look", {"direction": ["left", "right"]}) == []


def test_value_implied_by_intent_overrides_value_of_list() -> None:
    assert found("look direction=up", {}) == [{"pitch_deg": -20.0}]
    assert found("express_emotion emotion=joy", {"emotion": ["sadness"]}) == [{"emotion": "joy"}]


def test_direction_selects_side_of_antenna_instead_of_pose() -> None:
    assert found("antennas_down", {"direction": ["down"]}) == [{"right_deg": -120.0, "left_deg": 120.0}]
    assert found("antennas_down", {"direction": ["left", "down"]}) == [{"left_deg": 120.0}]


def test_recall_without_free_text_searches_for_whole_question() -> None:
    request = Request({}, Clause("where is my bag", "where is my bag"), REQUEST.vocabulary, first_dance)
    ((action,),) = likely_meanings("recall", {}, {}, request)
    assert action.arguments == {"query": "where is my bag"}


@pytest.mark.parametrize("intent", ["again", "none", "several", "stop"])
def test_intent_without_call_of_its_own_has_no_meaning(intent: str) -> None:
    assert found(intent, {"object": ["cup"]}, FREE_TEXT) == []


def test_each_intent_of_classifier_has_meanings_or_none_with_and_without_values() -> None:
    classifier = load_classifier()
    assert classifier is not None
    for intent in classifier.intents:
        assert intent.split()[0] in INTENTS or likely_meanings(intent, {}, FREE_TEXT, REQUEST) == NOTHING
        for listed in ({}, {"direction": ["left"], "emotion": ["joy"], "axis": ["yaw"]}):
            for free in ({}, FREE_TEXT):
                likely_meanings(intent, listed, free, REQUEST)
