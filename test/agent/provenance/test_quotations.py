from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.provenance.quotations import without_quotations

MARKS = '"\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a'


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('she said "turn left" twice', "she said twice"),
        ("she said \u201cturn left\u201d twice", "she said twice"),
        ("sie sagte \u201elinks\u201c zweimal", "sie sagte zweimal"),
        ("sie sagte \u00bblinks\u00ab zweimal", "sie sagte zweimal"),
        ("elle dit \u00ab \u00e0 gauche \u00bb deux fois", "elle dit deux fois"),
        (
            "elle dit \u00ab va \u201c\u00e0 gauche\u201d puis \u201e\u00e0 droite\u201c \u00bb deux fois",
            "elle dit deux fois",
        ),
        ('turn the 5" wheel', 'turn the 5" wheel'),
        ("he \u201copened \u00aban unclosed mark\u201d once", "he once"),
        ("\u201e\u201e\u201e look left", "\u201e\u201e\u201e look left"),
    ],
)
def test_removes_quotations_with_those_inside(text: str, kept: str) -> None:
    assert " ".join(without_quotations(text).split()) == kept


@given(st.text(st.sampled_from(f"{MARKS}ab "), max_size=60))
def test_words_before_first_and_after_last_mark_stay(text: str) -> None:
    kept = without_quotations(f"before {text} after").split()
    assert (kept[0], kept[-1]) == ("before", "after")


@given(st.text(st.sampled_from(f"{MARKS}ab "), max_size=60))
def test_nothing_is_left_to_remove(text: str) -> None:
    once = without_quotations(text)
    assert without_quotations(once).split() == once.split()


@given(st.text(st.sampled_from("ab "), max_size=20), st.text(st.sampled_from(f"{MARKS}ab "), max_size=60))
def test_result_consists_of_parts_of_text(before: str, text: str) -> None:
    kept = iter(without_quotations(before + text).replace(" ", ""))
    letters = iter((before + text).replace(" ", ""))
    assert all(any(letter == one for letter in letters) for one in kept)
