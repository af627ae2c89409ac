import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.provenance.words import Words, derived, words_in

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


def test_number_from_labeled_text_is_derived_regardless_of_sign() -> None:
    assert derived("call 555 now", words_in("5 or -555"), Words())
