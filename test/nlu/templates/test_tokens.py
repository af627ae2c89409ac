"""Tests of splitting text into words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.nlu.templates.tokens import folded, folded_template, tokens_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Regarde-moi, s'il te plaît !", ["regarde", "moi", ",", "s", "il", "te", "plait", "!"]),
        ("Größe: 25° links", ["grosse", ":", "25", "degrees", "links"]),
        ("gira -20 gradi o 3,5", ["gira", "-20", "gradi", "o", "3.5"]),
        ("l\u2019antenne gauche", ["l", "antenne", "gauche"]),
        ("50 %", ["50", "percent"]),
    ],
)
def test_splits_words_numbers_and_marks(text: str, words: list[str]) -> None:
    assert [word.text for word in tokens_of(text)] == words


@given(st.text())
def test_words_keep_their_position(text: str) -> None:
    for word in tokens_of(text):
        assert folded(text[word.start : word.end]).replace(",", ".") in (word.text, word.text.replace(",", ".")) or (
            word.text in ("degrees", "percent")
        )


def test_template_keeps_references_and_is_folded_otherwise() -> None:
    assert folded_template("Schau <to_the> [ÄPFEL] an {big_List}") == "schau <to_the> [apfel] an {big_List}"
