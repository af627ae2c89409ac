"""Tool advisor, which suggests one of the suitable tools with a reported probability."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
from reachy_agent_ros.learning.action_record import TOOL_CHOICE
from reachy_agent_ros.learning.advisor.advice_policy import OWN, AdvicePolicy
from reachy_agent_ros.learning.advisor.advisor import ToolAdvisor
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore


class Tool(NamedTuple):
    name: str
    description: str


TOOLS = [
    Tool("look_at", "Looks at a point in front of the robot, turning the body along where the neck does not reach."),
    Tool("express_emotion", "Shows an emotion with head, body and antennas, without words."),
    Tool("gesture", "Nods, shakes or tilts the head or looks around, then looks where it looked before."),
]
REQUEST = "Would you examine the door over there?"


class Remembered:
    """Sentence embedder with a cache."""

    def __init__(self) -> None:
        embedder = SentenceEmbedder()
        self._one = cache(lambda text: embedder.embed([text])[0])

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([self._one(text) for text in texts])


embedder = cache(Remembered)


def advisor(folder: Path, exploration: float) -> ToolAdvisor:
    return ToolAdvisor(PolicyStore(folder), embedder, exploration, seed=1)


def test_advisor_gives_no_advice_without_policy_and_exploration(tmp_path: Path) -> None:
    assert advisor(tmp_path, 0.0).advise(REQUEST, TOOLS).choice is None


@pytest.mark.parametrize("text", ["What is the capital of France?", "How are you today?", ""])
def test_advisor_gives_no_advice_for_small_talk(tmp_path: Path, text: str) -> None:
    assert advisor(tmp_path, 1.0).advise(text, TOOLS).choice is None


def test_exploration_frequencies_of_advisor_match_reported_probabilities(tmp_path: Path) -> None:
    trying = advisor(tmp_path, 0.6)
    choices = [trying.advise(REQUEST, TOOLS).choice for _ in range(300)]
    drawn = Counter((one.advised, round(one.probability, 3)) for one in choices if one is not None)
    assert sum(drawn.values()) == 300
    assert {probability for _, probability in drawn} == {0.6, 0.2}
    for (_, probability), count in drawn.items():
        assert count / 300 == pytest.approx(probability, abs=0.1)


def test_advisor_applies_new_policy_version_and_rollback_immediately(tmp_path: Path) -> None:
    told = advisor(tmp_path, 0.0)
    store = PolicyStore(tmp_path)
    liked = AdvicePolicy(np.zeros(4), {"gesture": np.array([0.4, *[0.0] * (OWN - 1)])})
    store.save(PolicyRecord(TOOL_CHOICE, 0, "test", 0.0), AdvicePolicy(None, {}).arrays())
    assert told.advise(REQUEST, TOOLS).choice is None
    store.save(PolicyRecord(TOOL_CHOICE, 0, "test", 0.0, parent=1), liked.arrays())
    advice = told.advise(REQUEST, TOOLS)
    assert advice.version == "2"
    assert advice.choice is not None
    assert advice.choice.situation.tools == ("gesture", "look_at")
    assert advice.choice.advised == "gesture"
    store.roll_back(TOOL_CHOICE)
    assert told.advise(REQUEST, TOOLS).choice is None


def test_advisor_tracks_failures_of_recent_tool_calls(tmp_path: Path) -> None:
    trying = advisor(tmp_path, 1.0)
    for _ in range(30):
        trying.note_call("gesture", False)
    choice = trying.advise(REQUEST, TOOLS).choice
    assert choice is not None
    assert choice.situation.failures == pytest.approx((1.0, 0.0), abs=0.01)
