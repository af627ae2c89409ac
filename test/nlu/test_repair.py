"""Tests of the repair of spoken sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.nlu.repair import heard, repaired


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("uh turn uh turn your head left", "turn your head left"),
        ("wait, like, ten seconds", "wait ten seconds"),
        ("look at the the red ball", "look at the red ball"),
        ("go to sleep go to sleep", "go to sleep"),
        ("rotate the body left forty, no, fifty degrees", "rotate the body left fifty degrees"),
        ("look left no wait right", "look right"),
        ("look left, love", "look left"),
        ("mate, chin up", "chin up"),
        ("nod, there's a good lad", "nod"),
        ("keep your voice down a bit sweetheart", "keep your voice down a bit"),
    ],
)
def test_removes_words_without_meaning(text: str, meant: str) -> None:
    assert repaired(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "show love",
        "shake your head no no no",
        "say um, the the cat, love",
        'tell them "uh uh, no no"',
        "look left, then right",
        "my love is gone",
        "wait 3 seconds, wait 5 seconds",
    ],
)
def test_keeps_words_with_meaning(text: str) -> None:
    assert repaired(text) == text


@pytest.mark.parametrize(
    ("text", "meant"),
    [("turn your head to the write", "turn your head to the right"), ("Gie's a wee nod", "give us a wee nod")],
)
def test_replaces_words_that_sound_like_command_words(text: str, meant: str) -> None:
    assert heard(text) == meant


@given(st.text(max_size=80))
def test_repair_never_adds_characters(text: str) -> None:
    assert len(repaired(text).replace(" ", "")) <= len(text)
