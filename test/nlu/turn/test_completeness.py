from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.turn.completeness import LONGEST_TEXT, CompletenessClassifier, words_so_far

UNFINISHED = (
    *("turn left and then", "could you please", "I would like to", "remind me to", "my name is"),
    *("dreh dich nach links und", "ich möchte gerne", "tourne à gauche et", "je voudrais", "mon nom est"),
    *(
        "gira a la izquierda y",
        "me gustaría",
        "girati a sinistra e",
        "vorrei che",
        "vira à esquerda e",
        "eu gostaria de",
    ),
)
COMPLETE = (
    *("look left", "yes", "what time is it", "that was too fast", "Turn left."),
    *("schau nach links", "regarde à gauche", "oui"),
    *("mira a la izquierda", "sí", "guarda a sinistra", "sì", "olha para a esquerda", "sim"),
)


CLASSIFIER = CompletenessClassifier()


@pytest.mark.parametrize("text", UNFINISHED)
def test_cut_sentence_is_unfinished(text: str) -> None:
    assert CLASSIFIER.probability(text) < 0.5


@pytest.mark.parametrize("text", COMPLETE)
def test_whole_sentence_is_complete(text: str) -> None:
    assert CLASSIFIER.probability(text) > 0.5


def test_hesitation_leaves_sentence_unfinished() -> None:
    assert CLASSIFIER.probability("look left um") < 0.5 < CLASSIFIER.probability("look left")


def test_period_of_recognizer_does_not_complete_cut_sentence() -> None:
    assert CLASSIFIER.probability("I would like to.") < 0.5


def test_ellipsis_is_read_as_breaking_off() -> None:
    assert words_so_far("Look at the…") == words_so_far("look at the ...") == ["look", "at", "the", "..."]


@pytest.mark.parametrize("text", ["", "  ", "...", "?!", "\n"])
def test_rejects_text_without_words(text: str) -> None:
    with pytest.raises(AgentError, match="has no words") as error:
        CLASSIFIER.probability(text)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


def test_rejects_text_longer_than_a_turn() -> None:
    assert 0.0 < CLASSIFIER.probability("a " * (LONGEST_TEXT // 2)) < 1.0
    with pytest.raises(AgentError, match=f"expected at most {LONGEST_TEXT}"):
        CLASSIFIER.probability("a " * LONGEST_TEXT)


@given(st.text(max_size=200))
def test_any_text_has_probability_or_is_rejected(text: str) -> None:
    with suppress(AgentError):
        assert 0.0 <= CLASSIFIER.probability(text) <= 1.0
