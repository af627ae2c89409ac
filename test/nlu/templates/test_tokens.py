"""Tests of splitting text into words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.nlu.templates.tokens import folded, folded_template, tokens_of


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("fr", "Regarde-moi, s'il te plaît !", ["regarde", "moi", ",", "s", "il", "te", "plait", "!"]),
        ("de", "Größe: 25 links", ["grosse", ":", "25", "links"]),
        ("de", "fünfundzwanzig Grad", ["25", "grad"]),
        ("it", "gira -20 gradi o 3,5", ["gira", "-20", "gradi", "o", "3.5"]),
        ("fr", "l\u2019antenne gauche", ["l", "antenne", "gauche"]),
        ("en", "50 %", ["50", "percent"]),
    ],
)
def test_tokenizer_splits_words_numbers_and_marks(language: str, text: str, words: list[str]) -> None:
    assert [word.text for word in tokens_of(text, language)] == words


@given(st.text(alphabet=st.characters(exclude_categories=("N",))))
def test_tokens_keep_positions_of_words(text: str) -> None:
    for word in tokens_of(text, "en"):
        written = text[word.start : word.end]
        assert folded(written) == word.text or word.text in ("degrees", "percent") or word.text[0].isdigit()


def test_folding_of_template_keeps_references() -> None:
    assert folded_template("Schau <to_the> [ÄPFEL] an {big_List}") == "schau <to_the> [apfel] an {big_List}"
