"""Intents about the memory and about learned phrases, in six languages."""

import pytest

from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages
from reachy_agent_ros.nlu.vocabulary import vocabulary_of

EVERYTHING = {
    "en": "forget everything about Bella",
    "de": "vergiss alles über Bella",
    "fr": "oublie tout sur Bella",
    "es": "olvida todo sobre Bella",
    "it": "dimentica tutto su Bella",
    "pt": "esquece tudo sobre Bella",
}
LEARNED = {
    "en": ("what have you learned", "forget what you learned"),
    "de": ("was hast du gelernt", "vergiss was du gelernt hast"),
    "fr": ("qu'as-tu appris", "oublie ce que tu as appris"),
    "es": ("qué has aprendido", "olvida lo que has aprendido"),
    "it": ("che cosa hai imparato", "dimentica quello che hai imparato"),
    "pt": ("o que aprendeste", "esquece o que aprendeste"),
}


def actions(text: str, language: str) -> tuple[Action, ...]:
    return TemplateLanguages(vocabulary_of({}), codes=[language]).decide(text).actions


@pytest.mark.parametrize(("language", "text"), EVERYTHING.items())
def test_recognizes_order_to_forget_everything_about_name(language: str, text: str) -> None:
    assert actions(text, language) == (Action("forget", {"what": "Bella", "everything": True}),)


@pytest.mark.parametrize(("language", "texts"), LEARNED.items())
def test_recognizes_questions_and_orders_about_learned_phrases(language: str, texts: tuple[str, str]) -> None:
    asked, order = texts
    assert actions(asked, language) == (Action("list_learned", {}),)
    assert actions(order, language) == (Action("forget_learned", {}),)


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "forget everything about me"), ("de", "vergiss alles über mich"), ("fr", "oublie tout sur moi")],
)
def test_order_to_forget_everything_about_speaker_is_not_recognized(language: str, text: str) -> None:
    assert actions(text, language) == ()
