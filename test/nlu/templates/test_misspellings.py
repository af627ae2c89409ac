"""Tests of the correction of misspelled words."""

import pytest

from reachy_agent_ros.nlu.templates.misspellings import Misspellings
from reachy_agent_ros.nlu.templates.tokens import tokens_of

KNOWN = ("kopf", "links", "nach", "antenne", "bitte", "tanz")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("kopf lniks", "kopf links"),
        ("antene nach links", "antenne nach links"),
        ("tanz bitteee", "tanz bitte"),
        ("nach lin ks", "nach links"),
    ],
)
def test_corrects_swapped_missing_repeated_letters_and_spaces(typed: str, meant: str) -> None:
    corrected = Misspellings(KNOWN).corrected(tokens_of(typed, "de"))
    assert corrected is not None
    assert " ".join(word.text for word in corrected) == meant


@pytest.mark.parametrize("typed", ["kopf links", "knopf nach links", "kopf xylophon", ""])
def test_leaves_known_words_and_words_with_other_letters(typed: str) -> None:
    assert Misspellings(KNOWN).corrected(tokens_of(typed, "de")) is None
