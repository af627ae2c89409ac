"""Tests of sentence fragments that continue the last command of a conversation."""

from __future__ import annotations

from typing import Any

import pytest

from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import DEFER, Action, DecisionKind
from reachy_agent_ros.nlu.vocabulary import Vocabulary

LOOKED_LEFT = Action("move_head", {"yaw_deg": 30.0})
TURNED_RIGHT = Action("rotate_body", {"yaw_deg": -45.0})
SHOWED_JOY = Action("express_emotion", {"emotion": "joy"})
RAISED_ANTENNAS = Action("set_antennas", {"right_deg": 0.0, "left_deg": 0.0})
FOUND_DUCK = Action("find_object", {"name": "duck"})


@pytest.fixture(scope="module")
def recognizer() -> CommandRecognizer:
    return CommandRecognizer(Vocabulary(("joy", "sadness"), ("simple_nod",)))


@pytest.mark.parametrize(
    ("before", "text", "tool", "arguments"),
    [
        (LOOKED_LEFT, "a bit further", "move_head", {"yaw_deg": 40.0}),
        (LOOKED_LEFT, "More!", "move_head", {"yaw_deg": 50.0}),
        (LOOKED_LEFT, "a bit more left, please", "move_head", {"yaw_deg": 40.0}),
        (LOOKED_LEFT, "10 degrees further", "move_head", {"yaw_deg": 40.0}),
        (LOOKED_LEFT, "the other way", "move_head", {"yaw_deg": -30.0}),
        (LOOKED_LEFT, "back", "move_head", {"roll_deg": 0.0, "pitch_deg": 0.0, "yaw_deg": 0.0}),
        (TURNED_RIGHT, "a little more", "rotate_body", {"yaw_deg": -65.0}),
        (SHOWED_JOY, "sadness", "express_emotion", {"emotion": "sadness"}),
        (RAISED_ANTENNAS, "lower them", "set_antennas", {"right_deg": -120.0, "left_deg": 120.0}),
        (FOUND_DUCK, "and the apple?", "find_object", {"name": "apple"}),
    ],
)
def test_fragment_continues_last_command(
    recognizer: CommandRecognizer, before: Action, text: str, tool: str, arguments: dict[str, Any]
) -> None:
    decision = recognizer.continued([before], text)
    assert decision.kind is DecisionKind.ACT
    assert [(action.tool, action.arguments) for action in decision.actions] == [(tool, arguments)]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (LOOKED_LEFT, "a bit more right"),
        (LOOKED_LEFT, "too far"),
        (LOOKED_LEFT, "okay"),
        (LOOKED_LEFT, "hello"),
        (LOOKED_LEFT, "why"),
        (SHOWED_JOY, "more"),
        (FOUND_DUCK, "a bit further left"),
        (FOUND_DUCK, "and the weather?"),
        (FOUND_DUCK, "no"),
    ],
)
def test_other_sentence_does_not_continue_last_command(
    recognizer: CommandRecognizer, before: Action, text: str
) -> None:
    assert recognizer.continued([before], text) is DEFER


def test_goes_no_further_than_usual_limit_unless_already_there(recognizer: CommandRecognizer) -> None:
    almost, at_limit = (Action("move_head", {"yaw_deg": angle}) for angle in (50.0, 60.0))
    assert recognizer.continued([almost], "more").actions[0].arguments == {"yaw_deg": 60.0}
    assert recognizer.continued([at_limit], "more").actions[0].arguments == {"yaw_deg": 80.0}
