"""Tests of the training sentences of the intent classifier."""

import csv
import re
from pathlib import Path

import pytest

from reachy_agent_ros.nlu.templates.intent_classifier import NONE, SEVERAL, TAGS
from reachy_agent_ros.nlu.templates.language import LANGUAGES, load_language
from reachy_agent_ros.nlu.templates.meanings import INTENTS
from training.intents.marked_text import MARKED, unmarked
from training.intents.phrasings import phrasings
from training.intents.sentences import FOLDER, UNKNOWN, Labeler

FILES = sorted(FOLDER.glob("*.tsv"))
WITHOUT_CALL = {NONE, SEVERAL, "again"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_sentence_has_known_intent_and_kinds_of_free_text(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            assert row["intent"].split()[0] in INTENTS or row["intent"] in WITHOUT_CALL, row
            assert {kind for kind, _ in MARKED.findall(row["sentence"])} <= set(TAGS[1:]), row
            assert not re.search(r"[\[\]]", unmarked(row["sentence"])[0]), row


def test_words_have_tag_of_their_free_text() -> None:
    labeler = Labeler(load_language(LANGUAGES / "en"))
    sentence = labeler.labeled("find_object", "me", "Find my [object:red mug], please.")
    assert sentence is not None
    tagged = dict(zip(sentence.words, (TAGS[tag] for tag in sentence.tags), strict=True))
    assert {word for word, tag in tagged.items() if tag == "object"} == {"red", "mug"}
    assert sentence.text == "Find my red mug, please."


def test_free_text_of_sentence_without_marks_is_unknown() -> None:
    labeler = Labeler(load_language(LANGUAGES / "en"))
    unmarked_sentence = labeler.labeled("find_object", "me", "find my keys")
    nod = labeler.labeled("nod", "me", "nod twice")
    assert unmarked_sentence is not None
    assert nod is not None
    assert set(unmarked_sentence.tags) == {UNKNOWN}
    assert set(nod.tags) == {0}


def test_value_in_list_replaces_implied_value() -> None:
    labeler = Labeler(load_language(LANGUAGES / "en"))
    listed = labeler.labeled("express_emotion emotion=joy", "me", "be happy")
    described = labeler.labeled("express_emotion emotion=joy", "me", "look as if you had won")
    assert listed is not None
    assert described is not None
    assert (listed.intent, described.intent) == ("express_emotion", "express_emotion emotion=joy")


def test_text_of_punctuation_marks_has_no_label() -> None:
    assert Labeler(load_language(LANGUAGES / "en")).labeled("none", "me", "?!") is None


def test_test_sentences_with_one_intent_are_labeled() -> None:
    labels = {text: intent for intent, _, text in phrasings()}
    assert labels["could you face the window on your left"] == "look direction=left"
    assert NONE in labels.values()
    assert SEVERAL in labels.values()
