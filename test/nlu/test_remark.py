"""Tests of the removal of remarks around commands."""

import pytest

from reachy_agent_ros.nlu.remark import without_remarks
from reachy_agent_ros.nlu.sentence_reader import Rulebook
from reachy_agent_ros.nlu.vocabulary import Vocabulary

RULES = Rulebook(Vocabulary(("joy",), ("simple_nod",)))


def commands_in(text: str) -> str | None:
    return without_remarks(text, lambda clause: RULES.knows(clause.lower().removeprefix("then ")))


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("look up, the steam is fogging you up", "look up"),
        ("I've not got my glasses, look left", "look left"),
        ("dance for me while I make the tea", "dance for me"),
        ("look left so I can see your camera, then nod", "look left, then nod"),
        ("turn your body left, forty degrees, don't be shy", "turn your body left forty degrees"),
        ("take a photo before I cut the cake", "take a photo"),
    ],
)
def test_drops_remarks(text: str, commands: str) -> None:
    assert commands_in(text) == commands


@pytest.mark.parametrize(
    "text",
    [
        "look left",
        "the steam is fogging you up",
        "look left if you see him",
        "look left, he said",
        "look left, not right",
        "nod when I say so",
        "chin up, it will get better",
        "look down, you would see my dog",
        'her first word was "up"',
        "it is what it is, up",
        "before you nod, look left",
        "look up, what is there",
        "look left, make me a sandwich",
        "Barry, dance for me",
    ],
)
def test_keeps_sentence_without_remark_or_with_condition(text: str) -> None:
    assert commands_in(text) is None
