"""Tests of reading numbers in words and in digits, in six languages."""

import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu import number_words
from reachy_agent_ros.nlu.numbers import tokens, with_digits

LANGUAGES = ("en", "de", "fr", "es", "it", "pt")
MINUS = {"en": "minus", "de": "minus", "fr": "moins", "es": "menos", "it": "meno", "pt": "menos"}
SENTENCES = {
    "en": ("Please turn {} degrees to the left.", "turn the head {} degrees", "look {} degrees up, then wait"),
    "de": ("Dreh dich bitte {} Grad nach links.", "den Kopf um {} Grad drehen", "schau {} Grad hoch, dann warte"),
    "fr": ("Tourne de {} degrés à gauche.", "tourne la tête de {} degrés", "regarde {} degrés en haut, puis attends"),
    "es": ("Gira {} grados a la izquierda.", "gira la cabeza {} grados", "mira {} grados arriba y espera"),
    "it": ("Gira di {} gradi a sinistra.", "ruota la testa di {} gradi", "guarda {} gradi in alto, poi aspetta"),
    "pt": ("Vira {} graus para a esquerda.", "roda a cabeça {} graus", "olha {} graus para cima e espera"),
}


def rows(name: str) -> list[list[str]]:
    """Returns the cells of a table file without the header row."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")][1:]


@cache
def words(language: str) -> list[str]:
    """Returns the numbers from 0 to 180 in words."""
    return [row[1 + LANGUAGES.index(language)] for row in rows("number_words.tsv")]


def spellings(number: int, language: str) -> Iterator[str]:
    """Yields a number in digits, in words, in words without accents, and in words without hyphens."""
    spoken = words(language)[abs(number)]
    bare = "".join(char for char in unicodedata.normalize("NFD", spoken) if not unicodedata.combining(char))
    sign = f"{MINUS[language]} " if number < 0 else ""
    yield str(number)
    yield from sorted({sign + spelling for spelling in (spoken, bare, spoken.replace("-", " "))})


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_reads_every_integer_angle_alone_and_in_sentences(language: str) -> None:
    wrong = [
        (said, read)
        for number in range(-180, 181)
        for spelling in spellings(number, language)
        for sentence in ("{}", *SENTENCES[language])
        for said in (sentence.format(spelling),)
        if (read := with_digits(said, language)) != sentence.format(number)
    ]
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@given(number=st.integers(-180, 180))
def test_reads_upper_case_angle(language: str, number: int) -> None:
    sign = f"{MINUS[language]} " if number < 0 else ""
    assert with_digits((sign + words(language)[abs(number)]).upper(), language) == str(number)


@pytest.mark.parametrize(("language", "said", "read"), rows("number_phrases.tsv"))
def test_converts_number_words_to_digits(language: str, said: str, read: str) -> None:
    assert with_digits(said, language) == read


def test_number_tokens_have_positions_in_sentence() -> None:
    sentence = "İ wait one hundred and twenty-five seconds"
    number = next(token for token in tokens(sentence, "en") if token.number is not None)
    assert sentence[number.start : number.end] == "one hundred and twenty-five"
    assert number.number == 125.0


def test_number_tokens_have_values_of_ambiguous_words() -> None:
    one = tokens("at one", "en")[-1]
    assert (one.number, one.spelling) == (1.0, None)


def test_number_tokens_have_values_of_ordinal_numbers() -> None:
    values = [token.ordinal for token in tokens("the twenty fifth or 3rd of May", "en") if token.ordinal is not None]
    assert values == [25, 3]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.text(max_size=80))
def test_number_tokens_keep_text_between_them(language: str, text: str) -> None:
    found = tokens(text, language)
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert all(text[token.start : token.end].strip() for token in found)
    assert isinstance(with_digits(text, language), str)


def test_reads_numbers_in_ten_thousand_characters() -> None:
    assert with_digits("twenty " * 1400 + "9" * 200, "en") == "20 " * 1400 + "9" * 200


def test_error_names_file_and_line_of_mistake_in_number_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "xx").mkdir()
    (tmp_path / "xx" / "numbers.yaml").write_text('decimal: "."\nminus: [minus]\nplusses: [plus]\n', encoding="utf-8")
    monkeypatch.setattr(number_words, "LANGUAGES", tmp_path)
    with pytest.raises(AgentError, match=r"numbers\.yaml.*line 3: plusses"):
        with_digits("two", "xx")


def test_reads_numbers_in_text_with_lone_surrogate() -> None:
    assert with_digits("\ud800 twenty five degrees", "en") == "\ud800 25 degrees"
