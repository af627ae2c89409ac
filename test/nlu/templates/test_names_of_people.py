"""Tests of sentences with a person's name, in each language."""

import pytest

from reachy_agent_ros.nlu.decision import DEFER
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages
from reachy_agent_ros.nlu.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("I'm Anna", "What is my name?"),
        ("call me Anna", "who am I"),
        ("Ich heiße Anna.", "Wie heiße ich?"),
        ("ich bin Anna", "weißt du, wie ich heiße"),
        ("Je m'appelle Anna", "Comment je m'appelle ?"),
        ("moi c'est Anna", "qui suis-je"),
        ("Me llamo Anna", "¿Cómo me llamo?"),
        ("soy Anna", "quién soy"),
        ("Mi chiamo Anna", "come mi chiamo?"),
        ("sono Anna", "qual è il mio nome"),
        ("Chamo-me Anna", "como me chamo?"),
        ("eu sou a Anna", "qual é o meu nome?"),
    ],
)
def test_name_is_remembered_and_recalled_in_each_language(told: str, asked: str) -> None:
    languages = TemplateLanguages(Vocabulary((), ()))
    (remember,) = languages.decide(told).actions
    assert (remember.tool, dict(remember.arguments)) == ("remember", {"key": "name", "text": "my name is Anna"})
    (recall,) = languages.decide(asked).actions
    assert (recall.tool, dict(recall.arguments)) == ("recall", {"query": "my name", "kinds": ["fact"]})


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin Student",
        "ich bin müde",
        "je suis fatigué",
        "soy español",
        "sono stanco",
        "sou brasileiro",
        "call me later",
    ],
)
def test_words_that_are_not_a_name_are_not_remembered_as_name(text: str) -> None:
    assert TemplateLanguages(Vocabulary((), ())).decide(text) is DEFER
