import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.speech.word_errors import distance, loops, word_error_rate

words = st.lists(st.sampled_from("abc"), max_size=8)


def test_substituted_deleted_or_inserted_word_is_one_error() -> None:
    said = ["look", "to", "the", "left"]
    assert distance(said, ["look", "to", "the", "left"]) == 0
    assert distance(said, ["look", "to", "the", "right"]) == 1
    assert distance(said, ["look", "to", "left"]) == 1
    assert distance(said, ["look", "to", "the", "the", "left"]) == 1


def test_word_error_rate_is_averaged_over_words_instead_of_sentences() -> None:
    assert word_error_rate([(["stop"], ["start"]), (["go"] * 9, ["go"] * 9)]) == 10.0


@pytest.mark.slow
@given(words, words)
def test_word_distance_is_symmetric_and_bounded(a: list[str], b: list[str]) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert abs(len(a) - len(b)) <= distance(a, b) <= max(len(a), len(b))


def test_repeated_sentence_in_transcript_counts_as_loop() -> None:
    said = ["that", "was", "perfect"]
    assert loops(said, said * 2)
    assert not loops(said, said)


def test_repetition_in_reference_does_not_count_as_loop() -> None:
    assert not loops(["look", "left", "look", "left"], ["look", "left", "look", "left"])
    assert not loops(["no", "no", "no"], ["no", "no", "no"])
