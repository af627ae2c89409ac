from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.nlu.text import joined, words_of


def plain(text: str) -> str:
    return joined(words_of(text))


def test_contractions_are_written_out() -> None:
    assert plain("Don't! What's that? I'd say we're fine") == "do not ! what is that ? i would say we are fine"


def test_typographic_marks_are_as_good_as_plain_ones() -> None:
    assert plain("Don\u2019t turn \u221220\u00b0") == "do not turn -20 degrees"


def test_number_words_become_digits() -> None:
    assert plain("turn forty-five degrees and minus ten") == "turn 45 degrees and -10"


def test_a_hyphen_is_no_minus() -> None:
    assert plain("non-stop, 3-4") == "non stop , 3 4"


@given(st.text())
def test_every_word_tells_where_it_stood(text: str) -> None:
    for word in words_of(text):
        assert 0 <= word.start < word.end <= len(text)


@given(st.text(alphabet="abc DE.,"))
def test_words_are_those_of_the_text(text: str) -> None:
    for word in words_of(text):
        assert text[word.start : word.end].lower() == word.text
