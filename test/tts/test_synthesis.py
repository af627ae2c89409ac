from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.tts.synthesis import MOST_WORDS, split_clauses

TEXT = st.one_of(
    st.text(), st.lists(st.sampled_from(["yes,", "look", "3.5", "(left)", "and.", '"Stop!"', "-"])).map(" ".join)
)


@given(TEXT)
def test_splitting_into_clauses_keeps_all_words_in_order(text: str) -> None:
    assert " ".join(split_clauses(text)).split() == text.split()


@given(TEXT)
def test_clauses_are_not_empty_or_too_long(text: str) -> None:
    assert all(1 <= len(clause.split()) <= MOST_WORDS for clause in split_clauses(text))


def test_clauses_end_at_pauses_of_speech() -> None:
    text = 'Okay. I look left, and I see 3.5 apples: "two red ones!" One, maybe green'
    assert split_clauses(text) == [
        "Okay.",
        "I look left,",
        "and I see 3.5 apples:",
        '"two red ones!"',
        "One, maybe green",
    ]
