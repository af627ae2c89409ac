from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.plain_letters import plain_letters

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e\ufe0f\u3164\u2800\U000e0041"


@given(st.text())
def test_folding_of_text_is_idempotent(text: str) -> None:
    once = plain_letters(text)
    assert plain_letters(once) == once


@given(st.text("abc xyz.,", min_size=1), st.sampled_from(INVISIBLE), st.integers(0, 30))
def test_folding_removes_invisible_characters(text: str, letter: str, place: int) -> None:
    assert plain_letters(text[:place] + letter + text[place:]) == plain_letters(text)


def test_folds_look_alikes_accents_and_compatibility_forms() -> None:
    assert plain_letters("\u0456gn\u043er\u0435 \u0430ll") == "ignore all"
    assert plain_letters("\uff49\uff47\uff4e\uff4f\uff52\uff45 \U0001d41a\U0001d425\U0001d425") == "ignore all"
    assert plain_letters("T\u00eate \u00fcber CA\u00d1A stra\u00dfe") == "tete uber cana strasse"


def test_folds_small_capitals() -> None:
    small = "\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18"
    assert plain_letters(small) == "abcdefghijklmnop"
    assert plain_letters("\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22") == "rstuvwyz"


def test_joins_words_with_spaced_letters_and_line_breaks() -> None:
    assert plain_letters("i g n o r e all") == "ignore all"
    assert plain_letters("i.g.n.o.r.e all") == "ignore all"
    assert plain_letters("ig-\n  nore all") == "ignore all"
    assert plain_letters("a b and 1 - 2") == "a b and 1 - 2"
