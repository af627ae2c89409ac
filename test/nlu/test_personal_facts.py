import pytest

from reachy_agent_ros.nlu.personal_facts import (
    fact_key,
    fact_to_forget,
    fact_to_recall,
    fact_to_remember,
    said_to_person,
)
from reachy_agent_ros.nlu.text import words_of


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Remember that my dog is called Bella.", "my dog is called Bella"),
        ("please remember I like tea, coffee and cake", "I like tea, coffee and cake"),
        ("My favorite tea is Earl Grey, keep that in mind", "My favorite tea is Earl Grey"),
        ("please remeber that my name is Julia", "my name is Julia"),  # codespell:ignore remeber
        ("I park on level two and don't forget it please", "I park on level two"),
        ("Don't forget that we meet on Monday", "we meet on Monday"),
        ("you can call me Ada", "my name is Ada"),
        ("I'm Anna", "my name is Anna"),
        ("hi I'm Anna Schmidt", "my name is Anna Schmidt"),
        ("my name is anna", "my name is anna"),
        ("I'm tired", None),
        ("I'm French", None),
        ("I'M TIRED", None),
        ("I'm Anna and I like tea", None),
        ("remember to smile", None),
        ("do you remember me", None),
        ("remember when we met", None),
        ("call me later", None),
    ],
)
def test_extracts_fact_to_remember(text: str, fact: str | None) -> None:
    assert fact_to_remember(text, [word for word in words_of(text) if not word.is_mark]) == fact


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What is my dog called?", "my dog called"),
        ("do you remember my birthday", "my birthday"),
        ("do you know what my name is", "my name"),
        ("What do you know about me?", ""),
        ("who am I", "my name"),
        ("what is the capital of France", None),
    ],
)
def test_recognizes_question_about_remembered_fact(text: str, about: str | None) -> None:
    assert fact_to_recall(text, [word for word in words_of(text) if not word.is_mark]) == about


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("forget my name", "my name"),
        ("please forget that my dog is called Bella", "my dog is called Bella"),
        ("Can you forget about my birthday please", "my birthday"),
        ("forget everything", ""),
        ("forget everything I have told you about me", ""),
        ("delete everything you know about me", ""),
        ("forget what you know about me", ""),
        ("forget it", None),
        ("forget what I said", None),
        ("delete all my photos", None),
        ("did you forget my name", None),
        ("do not forget my birthday", None),
    ],
)
def test_extracts_fact_to_forget(text: str, fact: str | None) -> None:
    assert fact_to_forget(text, [word for word in words_of(text) if not word.is_mark]) == fact


@pytest.mark.parametrize(
    ("fact", "key"),
    [
        ("my dog is called Bella", "dog"),
        ("my name is Ada", "name"),
        ("my name", "name"),
        ("My name is Ada", "name"),
        ("I like tea", "I like tea"),
    ],
)
def test_key_of_fact_names_its_subject(fact: str, key: str) -> None:
    assert fact_key(fact) == key


def test_fact_is_repeated_from_point_of_view_of_robot() -> None:
    assert said_to_person("I'm afraid of my cat") == "you are afraid of your cat"
