"""Tests of commands for things that are in no list."""

import pytest

from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import DEFER


@pytest.mark.parametrize(
    ("text", "tool", "name"),
    [
        ("look at my unicorn", "look_at_object", "unicorn"),
        ("glance over at the cup blue", "look_at_object", "cup"),
        ("turn your eyes to the oscilloscope", "look_at_object", "oscilloscope"),
        ("have a look for the blood pressure cuff", "find_object", "blood pressure cuff"),
        ("where did I leave my price gun", "find_object", "price gun"),
        ("look for grandad's pipe", "find_object", "pipe"),
        ("follow that drone around", "follow_object", "drone"),
    ],
)
def test_understands_unlisted_thing(reflex: CommandRecognizer, text: str, tool: str, name: str) -> None:
    (action,) = reflex.decide(text).actions
    assert (action.tool, dict(action.arguments)) == (tool, {"name": name})


@pytest.mark.parametrize(
    "text",
    [
        "look at the time",
        "find the answer to question three",
        "follow the instructions",
        "find out who did it",
        "look at what he made",
        "where is the nearest station",
        "follow your dreams",
        "track my package",
        "where's the report",
        "find a parking spot",
        "locate the nearest pharmacy",
        "where is the bathroom",
    ],
)
def test_defers_what_nobody_can_see(reflex: CommandRecognizer, text: str) -> None:
    assert reflex.decide(text) is DEFER
