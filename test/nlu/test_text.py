import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.nlu.text import joined, read_number, words_of


def plain(text: str) -> str:
    return joined(words_of(text))


def test_expands_contractions() -> None:
    assert plain("Don't! What's that? I'd say we're fine") == "do not ! what is that ? i would say we are fine"


def test_normalizes_typographic_marks() -> None:
    assert plain("Don\u2019t turn \u221220\u00b0") == "do not turn -20 degrees"


def test_converts_number_words_to_digits() -> None:
    assert plain("turn forty-five degrees and minus ten") == "turn 45 degrees and -10"


def test_hyphen_is_not_read_as_minus_sign() -> None:
    assert plain("non-stop, 3-4") == "non stop , 3 4"


@given(st.text())
def test_words_keep_positions_in_text(text: str) -> None:
    for word in words_of(text):
        assert 0 <= word.start < word.end <= len(text)


@given(st.text(alphabet="abc DE.,"))
def test_every_word_occurs_in_text(text: str) -> None:
    for word in words_of(text):
        assert text[word.start : word.end].lower() == word.text


UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def number(text: str) -> tuple[float, int] | None:
    return read_number(text.split(), 0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("seven", 7),
        ("twelve", 12),
        ("forty five", 45),
        ("a hundred", 100),
        ("one hundred and twenty", 120),
        ("two hundred three", 203),
        ("two and a half", 2.5),
        ("one point five", 1.5),
        ("12.5", 12.5),
        ("0", 0),
    ],
)
def test_parses_number_words(text: str, value: float) -> None:
    assert number(text) == (value, len(text.split()))


@pytest.mark.parametrize("text", ["", "left", "a", "and", "hundred", "point five", "a lot"])
def test_other_words_are_not_parsed_as_numbers(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize(("text", "taken"), [("one hundred and left", 2), ("twenty twenty", 1), ("five and a dog", 1)])
def test_number_ends_before_first_other_word(text: str, taken: int) -> None:
    found = number(text)
    assert found is not None
    assert found[1] == taken


@given(st.integers(2, 9), st.integers(1, 9))
def test_number_words_for_tens_and_units_are_added(tens: int, units: int) -> None:
    assert number(f"{TENS[tens]} {UNITS[units]}") == (10.0 * tens + units, 2)


@given(st.lists(st.sampled_from([*UNITS, *TENS[2:], "hundred", "and", "a", "half", "point"])), st.integers(0, 5))
def test_number_parser_reads_at_most_given_words(words: list[str], start: int) -> None:
    found = read_number(words, start)
    assert found is None or 0 < found[1] <= len(words) - start
