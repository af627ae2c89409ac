"""Tests of the recognition of other listeners."""

import pytest

from reachy_agent_ros.nlu.addressee import addresses_others


@pytest.mark.parametrize(
    "text", ["Alexa, set a timer", "hey siri nod", "Mum, look at me!", "look at me, dad", "Kids, get up"]
)
def test_finds_other_listener(text: str) -> None:
    assert addresses_others(text)


@pytest.mark.parametrize("text", ["Reachy, look left", "look at mum", "say hi to dad", "follow the kids", "nod"])
def test_robot_is_the_usual_listener(text: str) -> None:
    assert not addresses_others(text)
