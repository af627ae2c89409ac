from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from training.turn.endings import BROKEN_OFF, COMPLETE, UNFINISHED, UNKNOWN, Endings, LabeledWords
from training.turn.sentence import Sentence

CONTINUATIONS = {"en": {"fillers": ["um"], "connectors": ["and then"]}}
SENTENCES = [Sentence("en", "a", text) for text in ("Look left!", "look left and nod twice", "Okay. Look up, please.")]


def endings(text: str, seeds: int = 200) -> list[LabeledWords]:
    maker = Endings(SENTENCES, CONTINUATIONS)
    return [maker.ending(Sentence("en", "a", text), random.Random(seed)) for seed in range(seeds)]


def labels_of(found: list[LabeledWords]) -> dict[str, set[int]]:
    """Returns the labels of every prefix, by its text."""
    labels: dict[str, set[int]] = {}
    for one in found:
        for place, label in enumerate(one.labels):
            labels.setdefault(" ".join(one.words[: place + 1]), set()).add(label)
    return labels


def test_prefix_that_is_a_sentence_of_its_own_is_unknown() -> None:
    labels = labels_of(endings("look left and nod twice"))
    assert labels["look left"] == {UNKNOWN}
    assert labels["look left and"] == {UNFINISHED}
    assert labels["look left and nod twice"] == {COMPLETE}


def test_sentence_before_period_is_complete() -> None:
    labels = labels_of(endings("Okay. Look up, please."))
    assert labels["okay"] == labels["okay ."] == {COMPLETE}


def test_filler_or_connector_breaks_sentence_off() -> None:
    labels = labels_of(endings("Look left!"))
    assert labels["look left um"] == labels["look left and then"] == {BROKEN_OFF}
    assert labels["look left and"] == {UNKNOWN}


def test_period_after_cut_sentence_is_unfinished() -> None:
    assert labels_of(endings("look left and nod twice"))["look left and nod ."] == {UNFINISHED}


@given(st.text("ab ,.!?", max_size=40), st.integers(0, 1000))
def test_every_word_has_label(text: str, seed: int) -> None:
    one = Endings(SENTENCES, CONTINUATIONS).ending(Sentence("en", "a", text), random.Random(seed))
    assert len(one.words) == len(one.labels)
    assert set(one.labels) <= {UNKNOWN, UNFINISHED, COMPLETE, BROKEN_OFF}
