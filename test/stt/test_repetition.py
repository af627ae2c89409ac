from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.stt.repetition import without_repeated_tail

SENTENCE = [10, 11, 12, 13, 14]


@pytest.mark.parametrize("times", [2, 3, 5])
@pytest.mark.parametrize("cut", [0, 2, 4])
def test_a_sentence_said_again_is_said_once(times: int, cut: int) -> None:
    looped = SENTENCE * times + SENTENCE[:cut]
    assert without_repeated_tail(looped, cut_off=True) == SENTENCE


def test_a_sentence_that_ended_by_itself_may_begin_its_last_words_alike() -> None:
    assert without_repeated_tail([*SENTENCE, 10, 11], cut_off=False) == [*SENTENCE, 10, 11]


def test_no_no_no_is_speech() -> None:
    assert without_repeated_tail([7, 7, 7], cut_off=False) == [7, 7, 7]
    assert without_repeated_tail([7] * 9, cut_off=False) == [7]


@given(st.lists(st.integers(0, 4)), st.booleans())
def test_what_remains_is_the_beginning(tokens: list[int], cut_off: bool) -> None:
    kept = without_repeated_tail(tokens, cut_off=cut_off)
    assert kept == tokens[: len(kept)]
    assert set(kept) == set(tokens)


@given(st.lists(st.integers(), unique=True), st.booleans())
def test_nothing_is_lost_where_nothing_repeats(tokens: list[int], cut_off: bool) -> None:
    assert without_repeated_tail(tokens, cut_off=cut_off) == tokens
