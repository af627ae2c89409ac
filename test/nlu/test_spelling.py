"""Tests of correcting typing errors in commands."""

from functools import cache

import pytest

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.spelling import respelled
from reachy_agent_ros.nlu.vocabulary import Vocabulary

embedder = cache(SentenceEmbedder)


@cache
def recognizer() -> CommandRecognizer:
    vocabulary = Vocabulary(("joy",), ("simple_nod",))
    return CommandRecognizer(vocabulary, FreePhrasing(vocabulary, embedder))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("look lft and nodd", "look left and nod"),
        ("Look rigtt!", "Look right!"),
        ("raise your antenas", "raise your antennas"),
        ("lok to the rigtht", "look to the right"),
    ],
)
def test_corrects_command_words(text: str, meant: str) -> None:
    assert respelled(text, embedder().is_word, embedder().is_common_word) == meant


@pytest.mark.parametrize("text", ["look left", "explain mitochondria", "who is Xzqwv", "", "1 2 3"])
def test_keeps_correct_and_other_words(text: str) -> None:
    assert respelled(text, embedder().is_word, embedder().is_common_word) is None


def test_corrected_command_is_less_certain() -> None:
    decision = recognizer().decide("look lft and nodd")
    assert [action.tool for action in decision.actions] == ["move_head", "gesture"]
    assert 0.8 < decision.confidence < 1.0


def test_keeps_amount_of_command_with_misspelled_word() -> None:
    assert [action.arguments for action in recognizer().decide("look a litlte left").actions] == [{"yaw_deg": 15.0}]


def test_ignores_unknown_names() -> None:
    assert recognizer().decide("ask Nodde about the leftt door").kind is DecisionKind.DEFER
