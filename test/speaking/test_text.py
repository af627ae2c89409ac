from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.speaking.text import speakable


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("I look left.", "I look left."),
        ("**Sure**, *now*!", "Sure, now!"),
        ("# Plan\n- look left\n- nod", "Plan. look left. nod"),
        ("See [the manual](https://example.org/a?b=1).", "See the manual."),
        ("It is on https://www.example.org/a/b?c=d.", "It is on example.org."),
        ("Call `move_head` now", "Call move head now"),
        ("5 * 3 = 15", "5 * 3 = 15"),
        ("Great \N{GRINNING FACE}\N{VARIATION SELECTOR-16}!", "Great!"),
        ("a\x00b\x1b[31m", "a b [31m"),
    ],
)
def test_what_is_meant_for_the_eye_is_not_said(written: str, said: str) -> None:
    assert speakable(written) == said


@pytest.mark.parametrize("text", ["", "  \n ", "\N{GRINNING FACE}", "```\n```", "...", "\x00"])
def test_what_cannot_be_said_is_empty(text: str) -> None:
    assert speakable(text) == ""


@given(st.text())
def test_any_text_becomes_one_clean_line(text: str) -> None:
    line = speakable(text)
    assert line == " ".join(line.split())
    assert line.isprintable()


@given(st.lists(st.from_regex(r"[a-z]{1,8}[.,!?]?", fullmatch=True)))
def test_plain_words_are_left_alone(words: list[str]) -> None:
    assert speakable(" ".join(words)) == " ".join(words)
