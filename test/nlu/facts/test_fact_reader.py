"""Statements of people, and questions about them, in six languages."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.nlu.facts.fact_language import fact_languages
from reachy_agent_ros.nlu.facts.fact_reader import Reading, read_entity, read_question, read_statements
from reachy_agent_ros.nlu.facts.fact_words import FactWords
from reachy_agent_ros.nlu.facts.statement import ABOUT, SPEAKER, Entity, EntityKind, Statement
from reachy_agent_ros.nlu.number_words import LANGUAGES

LANGUAGE_CODES = ("de", "en", "es", "fr", "it", "pt")

NAMES = {
    "en": "My dog is called Bella.",
    "de": "Mein Hund heißt Bella.",
    "fr": "Mon chien s'appelle Bella.",
    "es": "Mi perro se llama Bella.",
    "it": "Il mio cane si chiama Bella.",
    "pt": "O meu cão chama-se Bella.",
}


def told(*texts: str) -> list[tuple[str, str]]:
    """Returns the keys and values of the statements in texts that are said one after the other."""
    reading, found = Reading(), []
    for text in texts:
        reading = read_statements(text, reading)
        found += [(one.key, f"{'not ' if one.negated else ''}{one.value}") for one in reading.statements]
    return found


def test_all_languages_have_same_relations() -> None:
    assert tuple(fact_languages()) == LANGUAGE_CODES
    for part in ("statements", "questions"):
        relations = {code: set(getattr(language.words, part)) for code, language in fact_languages().items()}
        for code, found in relations.items():
            assert found <= relations["en"], code
            assert {"name", "age", "home", "like", "have", "job", "birthday"} <= found, code


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_patterns_of_language_are_valid(code: str) -> None:
    language = fact_languages()[code]
    assert len(language.statements) > 30
    assert len(language.questions) > 30


def test_unknown_key_in_language_file_is_rejected() -> None:
    with pytest.raises(ValueError, match="colour"):
        FactWords.model_validate({"colour": "red"})
    assert (Path(LANGUAGES) / "en" / "facts.yaml").is_file()


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_statement_has_same_key_in_every_language(code: str) -> None:
    (statement,) = read_statements(NAMES[code]).statements
    assert (statement.key, statement.value, statement.language) == ("dog name", "Bella", code)
    assert statement.entity.kind is EntityKind.ANIMAL


@pytest.mark.parametrize(
    ("texts", "facts"),
    [
        (["my sister lives in Lyon"], [("sister home", "Lyon")]),
        (["I like tea, but I don't like coffee any more."], [("like tea", "tea"), ("like coffee", "not coffee")]),
        (["We moved to Porto last year."], [("home", "Porto")]),
        (["I have a sister.", "She lives in Lyon."], [("have sister", "sister"), ("sister home", "Lyon")]),
        (["My dog is called Bella.", "Actually she's called Stella."], [("dog name", "Bella"), ("dog name", "Stella")]),
        (["My dog is called Bella.", "No, Stella."], [("dog name", "Bella"), ("dog name", "Stella")]),
        (["My son works as a nurse and plays golf."], [("son job", "nurse"), ("son play golf", "golf")]),
        (["My sister Anna speaks French."], [("sister name", "Anna"), ("sister speak french", "French")]),
        (["I have a dog and two cats."], [("have dog", "dog"), ("have cat", "cat")]),
        (["My birthday is on the third of May."], [("birthday", "third of May")]),
        (["Ich mag keinen Kaffee mehr."], [("like kaffee", "not Kaffee")]),
        (["Ich habe am 3. Mai Geburtstag."], [("birthday", "3. Mai")]),
        (["Ya no me gusta el café."], [("like café", "not café")]),
        (["Tengo un perro.", "Tiene tres años."], [("have dog", "dog"), ("dog age", "tres")]),
    ],
)  # fmt: skip
def test_reads_statements(texts: list[str], facts: list[tuple[str, str]]) -> None:
    assert told(*texts) == facts


@pytest.mark.parametrize(
    "text",
    [
        "Is my dog called Bella?",
        "If I were rich, I would live in Porto.",
        "Maybe my aunt lives in Berlin.",
        'She wrote "my dog is called Bella".',
        "My mother says my sister lives in Rome.",
        "My cat is called Nero. Just kidding!",
        "Say my dog is called Bella.",
        "In the movie my name is Bond.",
        "I like you.",
        "I have a headache.",
        "My sister is tired.",
        "Wenn ich in Rom wohne, bin ich froh.",
        "Meine Mutter sagt, mein Bruder mag Fisch.",
        "Si j'étais riche, j'habiterais à Rome.",
        "Mi hermano dice que mi madre vive en Niza.",
        "Se fossi ricco, vivrei a Roma.",
        "Se eu fosse rico, moraria em Roma.",
        "She lives in Lyon.",
        "Paris is in France.",
        "look at my sister",
        "x" * 2000,
    ],
)
def test_keeps_nothing_that_person_does_not_state(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "relation", "subject", "value"),
    [
        ("what's the dog's name?", "name", "dog", ""),
        ("where does my sister live?", "home", "sister", ""),
        ("do I like coffee?", "like", SPEAKER, "coffee"),
        ("how old is bella", "age", "bella", ""),
        ("Who lives in Lyon?", "home", None, "lyon"),
        ("What do you know about me?", ABOUT, SPEAKER, ""),
        ("What do you know about Bella?", ABOUT, "bella", ""),
        ("Wo wohnt meine Schwester?", "home", "sister", ""),
        ("Was weißt du über Bella?", ABOUT, "bella", ""),
        ("Où habite ma sœur ?", "home", "sister", ""),
        ("¿Cómo se llama mi perro?", "name", "dog", ""),
        ("Dove vive mia sorella?", "home", "sister", ""),
        ("Gosto de café?", "like", SPEAKER, "café"),
        ("Can you tell me what my dog is called?", "name", "dog", ""),
        ("Weißt du noch, wo meine Schwester wohnt?", "home", "sister", ""),
        ("Tu sais où habite ma sœur ?", "home", "sister", ""),
    ],
)
def test_reads_questions(text: str, relation: str, subject: str | None, value: str) -> None:
    question = read_question(text)
    assert question is not None
    assert (question.relation, question.subject, question.value) == (relation, subject, value)


def test_question_with_pronoun_is_worded_without_context() -> None:
    question = read_question("How old is she?", read_statements("My dog is called Bella."))
    assert question is not None
    assert question.text == "How old is My dog?"
    assert read_question("How old is she?") is None


@pytest.mark.parametrize(
    "text",
    [
        "why is the sky blue?",
        "what time is it?",
        "turn left",
        "",
        "tell me about black holes",
        "how old is the universe?",
    ],
)
def test_other_sentences_are_not_questions_about_facts(text: str) -> None:
    assert read_question(text) is None


@pytest.mark.parametrize(
    ("text", "name"), [("my dog", "dog"), ("Bella", "bella"), ("meine Oma", "grandmother"), ("a Bella", "bella")]
)
def test_reads_entity(text: str, name: str) -> None:
    entity = read_entity(text)
    assert entity is not None
    assert entity.name == name


@pytest.mark.parametrize(
    "texts",
    [[text] for text in NAMES.values()]
    + [
        ["I have a brother.", "He lives in Nice."],
        ["My sister Anna works as a nurse."],
        ["Mia sorella vive a Roma.", "Lavora come infermiera."],
    ],
)
def test_text_of_statement_alone_makes_same_statement(texts: list[str]) -> None:
    reading = Reading()
    for text in texts:
        reading = read_statements(text, reading)
        for statement in reading.statements:
            (again,) = read_statements(statement.text).statements
            assert (again.key, again.value, again.negated) == (statement.key, statement.value, statement.negated)


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for statement in read_statements(text).statements:
        assert statement.value
        assert statement.text
    read_question(text)
    read_entity(text)


def test_key_does_not_depend_on_case_of_value() -> None:
    entity = Entity(SPEAKER, EntityKind.PERSON)
    assert Statement(entity, "like", "Green  Tea", "").key == Statement(entity, "like", "green tea", "").key
