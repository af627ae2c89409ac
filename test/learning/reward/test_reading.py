import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.learning.reward.reading import LONGEST, MARKS, FeedbackReader

WORDS = frozenset(["that", "was", "not", "good", "bad", "very", "left", "more", "stop", "the", "wall", "it", "a"])


@pytest.fixture(scope="module")
def reader() -> FeedbackReader:
    return FeedbackReader(WORDS.__contains__)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("👍🏽", "good"),
        ("🎉🎉🎉", "amazing"),
        ("nicht schlecht", "not bad"),
        ("c'est faux", "wrong"),
        ("違う!", "wrong !"),
        ("thats wrogn", "that's wrong"),
        ("perfcet", "perfect"),
        ("goooood", "good"),
    ],
)
def test_feedback_reader_normalizes_emoji_foreign_words_and_typos(
    reader: FeedbackReader, text: str, meant: str
) -> None:
    assert reader.read(text).text == meant


def test_feedback_reader_does_not_translate_foreign_word_inside_another_word(reader: FeedbackReader) -> None:
    assert reader.read("the wall").words == ("the", "wall")


def test_feedback_reader_detects_capital_letters_and_repeated_letters(reader: FeedbackReader) -> None:
    assert reader.read("GOOOOD").shouted == 1.0
    assert reader.read("goooood").stretched
    assert not reader.read("good").stretched


def test_feedback_reader_reads_start_and_end_of_long_text(reader: FeedbackReader) -> None:
    words = reader.read("good " + "the " * 1_000_000 + "bad").words
    assert words[0] == "good"
    assert words[-1] == "bad"
    assert len(words) <= LONGEST


@pytest.mark.slow
@given(st.text())
def test_feedback_reader_accepts_any_text(text: str) -> None:
    reading = FeedbackReader(WORDS.__contains__).read(text)
    assert all(word in MARKS or word[0].isalnum() for word in reading.words)
    assert 0.0 <= reading.shouted <= 1.0
