"""Tests of choosing a dance by its exact name, by a similar name, or at random."""

from functools import partial

import pytest

from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.dances import RandomDance, closest_dances, is_within_name
from reachy_agent_ros.nlu.decision import DecisionKind
from reachy_agent_ros.nlu.vocabulary import Vocabulary

decide = CommandRecognizer(Vocabulary((), dances())).decide
closest = partial(closest_dances, dances=dances())


def danced(text: str) -> list[str]:
    return [action.arguments["dance"] for action in decide(text).actions if action.tool == "dance"]


@pytest.mark.parametrize(
    ("text", "dance"),
    [
        ("do the headbanger dance", "headbanger_combo"),
        ("do the head banger", "headbanger_combo"),
        ("dance the groovy sway", "groovy_sway_and_roll"),
        ("perform the pendulum dance please", "pendulum_swing"),
        ("do the dizzy spinning dance", "dizzy_spin"),
        ("do the side to side dance", "side_to_side_sway"),
    ],
)
def test_finds_closest_dance(text: str, dance: str) -> None:
    assert danced(text) == [dance]


@pytest.mark.parametrize("text", ["do the groovy sway and roll dance", "dance the groovy sway and roll"])
def test_dance_name_that_contains_and_is_one_dance(text: str) -> None:
    assert danced(text) == ["groovy_sway_and_roll"]


def test_sentence_is_split_after_dance_name_that_contains_and() -> None:
    actions = decide("do the stumble and recover and nod").actions
    assert [action.tool for action in actions] == ["dance", "gesture"]


def test_asks_which_of_equally_similar_dances_is_meant() -> None:
    decision = decide("do the side dance")
    assert decision.kind is DecisionKind.ASK
    assert decision.question.count("side") == 3


@pytest.mark.parametrize("text", ["dance the tango", "do the macarena dance"])
def test_asks_for_other_dance_if_name_is_unknown(text: str) -> None:
    assert decide(text).kind is DecisionKind.ASK


@pytest.mark.parametrize(
    "text",
    ["do the dishes", "do your homework", "do a huh", "dance to the sway", "do not nod", "don't do the side dance"],
)
def test_other_request_is_not_recognized_as_dance(text: str) -> None:
    assert decide(text).kind is DecisionKind.DEFER


def test_question_about_dance_lists_names() -> None:
    recognizer = CommandRecognizer(Vocabulary((), dances()))
    question = recognizer.decide("dance the macarena").question
    assert question.startswith("Which dance: chicken peck, ")


@pytest.mark.parametrize("text", ["dance", "do a random dance", "show me another dance", "do a funny dance"])
def test_chooses_random_dance_if_no_dance_is_named(text: str) -> None:
    recognizer = CommandRecognizer(Vocabulary((), dances()), choose_dance=lambda _dances: "chin_lead")
    assert [action.arguments["dance"] for action in recognizer.decide(text).actions] == ["chin_lead"]


def test_random_choice_stays_same_until_dance_is_used() -> None:
    choose = RandomDance(lambda dances: dances[0])
    assert [choose(["a", "b"]), choose(["a", "b"])] == ["a", "a"]
    choose.use()
    assert choose(["a", "b"]) == "b"
    assert RandomDance()([]) is None


def test_unrelated_words_match_no_dance() -> None:
    assert closest("macarena") == closest("dance") == closest("") == []


def test_word_within_dance_name_requires_complete_name() -> None:
    assert is_within_name(["do", "the", "sway", "and", "roll"], 3, ["sway and roll"])
    assert not is_within_name(["sway", "and", "nod"], 1, ["sway and roll"])
