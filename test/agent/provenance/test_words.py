import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reachy_agent_ros.agent.provenance.words import Words, derived, words_in
from reachy_agent_ros.core.plain_letters import plain_letters

WORD = st.text("bcdfghjklmnpqrstvwxyz", min_size=6, max_size=12)
CYRILLIC = str.maketrans("aceopxy", "\u0430\u0441\u0435\u043e\u0440\u0445\u0443")


@given(WORD, st.text(max_size=40), st.text(max_size=40))
def test_word_from_labeled_text_is_derived_unless_user_said_it(word: str, before: str, after: str) -> None:
    labeled = words_in(f"{before} {word} {after}")
    assert derived(f"please {word}", labeled, Words())
    assert not derived(word, labeled, words_in(f"the {word}!"))


@given(WORD)
def test_disguised_word_from_labeled_text_is_derived(word: str) -> None:
    labeled = words_in(word)
    hidden = "\u200b".join(word.upper()).translate(CYRILLIC)
    assert derived(hidden, labeled, Words())
    assert derived(unicodedata.normalize("NFKD", hidden), labeled, Words())
    assert derived(word, words_in(hidden), Words())
    assert derived(" ".join(word), labeled, Words())


def test_function_words_are_not_treated_as_derived() -> None:
    assert not derived("the and of it", words_in("the and of it"), Words())


def test_long_word_not_said_by_user_is_treated_as_encoded_text() -> None:
    assert derived("cGFzc3dvcmQgb2YgdGhlIGhvdXNl", Words(), Words())
    assert derived({"nested": ["cGFzc3dvcmQgb2YgdGhlIGhvdXNl"]}, Words(), Words())


@given(st.text("ab1\u0663\u00b2_- ", max_size=60))
@example("a" * 15 + "1" * 15)
@example("_" + "1" * 16 + "a")
def test_opaque_words_are_long_runs_of_letters_and_digits(text: str) -> None:
    runs = {run for run in re.split(r"[\W_]+", plain_letters(text)) if len(run) >= 16}
    mixed = {run for run in runs if not run.isdecimal() and any(map(str.isdecimal, run))}
    assert words_in(text).opaque == mixed


@pytest.mark.parametrize("unit", ["a", "1", "a1", "a_", "a ", "\u00b2"])
def test_reads_long_text_in_linear_time(unit: str) -> None:
    words_in(unit * 200_000)  # reaches the time limit of the test if each letter starts another search


def test_number_from_labeled_text_is_derived_regardless_of_sign() -> None:
    assert derived("call 555 now", words_in("5 or -555"), Words())
