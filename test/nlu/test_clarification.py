import pytest

from reachy_agent_ros.nlu.clarification import choose
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import Action, DecisionKind


@pytest.mark.parametrize(
    ("answer", "tool"),
    [("your head", "move_head"), ("The body, please.", "rotate_body"), ("I mean the whole body", "rotate_body")],
)
def test_named_body_part_selects_alternative(reflex: CommandRecognizer, answer: str, tool: str) -> None:
    chosen = choose(answer, reflex.decide("turn left"))
    assert chosen is not None
    assert chosen.kind is DecisionKind.ACT
    assert [action.tool for action in chosen.actions] == [tool]


def test_named_direction_selects_alternative(reflex: CommandRecognizer) -> None:
    chosen = choose("up", reflex.decide("move your head"))
    assert chosen is not None
    assert chosen.actions == (Action("move_head", {"pitch_deg": -20.0}),)


@pytest.mark.parametrize("answer", ["neither", "what?", "look up", "your antenna", ""])
def test_unrelated_text_does_not_answer_clarification_question(reflex: CommandRecognizer, answer: str) -> None:
    assert choose(answer, reflex.decide("turn left")) is None


def test_clarified_command_keeps_rest_of_sentence(reflex: CommandRecognizer) -> None:
    chosen = choose("my head", reflex.decide("turn left and take a photo"))
    assert chosen is not None
    assert [action.tool for action in chosen.actions] == ["move_head", "take_photo"]


@pytest.mark.parametrize("answer", ["yes", "Okay, do it.", "nod"])
def test_yes_accepts_maximum_number_of_repetitions(reflex: CommandRecognizer, answer: str) -> None:
    asked = reflex.decide("nod 100 times")
    assert asked.question == "I can repeat that at most 5 times. Should I nod 5 times?"
    chosen = choose(answer, asked)
    assert chosen is not None
    assert chosen.actions == (Action("gesture", {"gesture": "nod", "repetitions": 5}),)


def test_no_declines_repetitions(reflex: CommandRecognizer) -> None:
    assert choose("no", reflex.decide("nod 100 times")) is None
