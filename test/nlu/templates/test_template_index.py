from pathlib import Path

import pytest
from hassil.intents import IntentData, TextSlotList, WildcardSlotList
from hassil.parse_expression import parse_sentence

from reachy_agent_ros.nlu.templates.language import LANGUAGES, load_language
from reachy_agent_ros.nlu.templates.template_index import WILDCARD, Template, TemplateIndex, TemplateWords
from reachy_agent_ros.nlu.templates.tokens import tokens_of
from reachy_agent_ros.nlu.text import joined

SENTENCES = Path(__file__).with_name("es.tsv").read_text(encoding="utf-8").splitlines()[1::9]
WORDS = TemplateWords({"side": ["left", "(the|your) right"]}, {"head": "[the] head", "repeat": "say {text} to <head>"})


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("nod [twice]", {"nod", "twice"}),
        ("turn (left|right)", {"turn", "left", "right"}),
        ("turn {side}", {"turn", "left", "the", "your", "right"}),
        ("turn {side:where}", {"turn", "left", "the", "your", "right"}),
        ("<repeat>", {"say", "to", "the", "head"}),
    ],
)
def test_template_words_include_words_of_lists_and_rules(template: str, words: set[str]) -> None:
    assert WORDS.of(template) == words


@pytest.mark.parametrize(("template", "has_text"), [("say {text}", True), ("<repeat>", True), ("<head> {side}", False)])
def test_free_text_slot_is_detected_in_rules(template: str, has_text: bool) -> None:
    assert WORDS.has_text(template) is has_text


def index_of(*templates: str) -> TemplateIndex:
    lists = {"side": TextSlotList.from_strings(["left", "right"]), WILDCARD: WildcardSlotList(name=WILDCARD)}
    words = TemplateWords({"side": ["left", "right"]}, {"head": "[the] head"})
    made = [
        Template("move", IntentData([one], wildcard_list_names={WILDCARD}), words.of(one), words.has_text(one))
        for one in templates
    ]
    return TemplateIndex("en", made, dict(lists), {"head": parse_sentence("[the] head")})


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("turn left", 1),
        ("turn the head right", 1),
        ("turn", 0),
        ("say turn left", 1),
        ("look left", 0),
        ("", 0),
        ("30", 0),
    ],
)
def test_index_returns_templates_that_match_text(text: str, count: int) -> None:
    assert len(index_of("turn [<head>] {side}", "say {text}").matches(text)) == count


@pytest.fixture(scope="module")
def spanish() -> TemplateIndex:
    return load_language(LANGUAGES / "es").index


@pytest.mark.parametrize("text", [line.split("\t")[0] for line in SENTENCES])
def test_preselection_of_templates_keeps_every_match(
    spanish: TemplateIndex, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = joined(tokens_of(text, "es"))
    found = [(one.intent.name, one.intent_sentence.text) for one in spanish.matches(written)]
    monkeypatch.setattr(TemplateIndex, "candidates", lambda index, _said: index.templates)
    assert found == [(one.intent.name, one.intent_sentence.text) for one in spanish.matches(written)]
