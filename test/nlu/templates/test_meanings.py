"""Tests of the meanings of intents.

The clauses have unsuitable modifiers or directions, or lack values.
"""

import pytest

from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.clause import NOTHING, Clause, Meanings
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.templates.meanings import Request, Slots, meanings_of
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
