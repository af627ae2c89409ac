"""Number words of a language, from the file `languages/CODE/numbers.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from reachy_agent_ros.nlu.tokens import PhraseTable, words_of
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form

LANGUAGES = Path(__file__).parent / "languages"
"""Folder with one folder of data for each language, named by its ISO 639-1 code."""

LARGEST_FILE = 200_000
"""Maximum size of a language file, bytes."""


class Unit(StrictForm):
    """Unit of measurement, with its standard spelling and the accepted spellings.

    Attributes:
        write: Standard spelling.
        read: Accepted spellings.
    """

    write: str
    read: list[str]


class Phrase(StrictForm):
    """Phrase that is merged into one token.

    Attributes:
        number: Value, if the phrase is a number.
        unit: Standard spelling, if the phrase is a unit.
    """

    number: float | None = None
    unit: str | None = None


class NumberWords(StrictForm):
    """Number words that text2num does not support or misinterprets.

    Attributes:
        decimal: Decimal separator. The other one separates thousands.
        minus: Words for a negative sign.
        plus: Words for a positive sign.
        ambiguous: Number words that usually mean something else. They are numbers next to a number, before a unit, or
            as the only word.
        units: Words that follow a number, except degrees and percent.
        degrees: Unit of angles.
        percent: Percent.
        fractions: Words that add a value to the number before them.
        half_suffix: End of a compound that adds a half, as in the German "zweieinhalb".
        numbers: Numbers that text2num does not support.
        fixed: Phrases whose words are neither numbers nor signs.
        articles: Number word that the first word of a phrase stands for: "a hundred" is "one hundred".
        indefinite: Articles before a number that make the next unit a noun: "second" in "a twenty second timer".
        spellings: Standard spelling of words.
        letters: Standard spelling of parts of words.
    """

    decimal: Literal[".", ","]
    minus: list[str]
    plus: list[str]
    ambiguous: list[str]
    units: list[str]
    degrees: Unit
    percent: Unit
    fractions: dict[str, float]
    half_suffix: str | None = None
    numbers: dict[str, float] = Field(default_factory=dict)
    fixed: list[str] = Field(default_factory=list)
    articles: dict[str, str] = Field(default_factory=dict)
    indefinite: list[str] = Field(default_factory=list)
    spellings: dict[str, str] = Field(default_factory=dict)
    letters: dict[str, str] = Field(default_factory=dict)

    @cached_property
    def phrases(self) -> PhraseTable[Phrase]:
        """Phrases that are merged into one token."""
        return PhraseTable(self._phrases())

    def _phrases(self) -> Iterator[tuple[str, Phrase]]:
        for text, number in self.numbers.items():
            yield text, Phrase(number=number)
        for text in self.fixed:
            yield text, Phrase()
        for unit in (self.degrees, self.percent):
            for text in unit.read:
                yield text, Phrase(unit=unit.write)

    @cached_property
    def fraction_table(self) -> PhraseTable[float]:
        """Lookup table of fractions and their values."""
        return PhraseTable(self.fractions.items())

    @cached_property
    def sign_table(self) -> PhraseTable[int]:
        """Lookup table of sign words, with the factors +1 and -1 as values."""
        return PhraseTable([*((text, -1) for text in ("-", *self.minus)), *((text, 1) for text in self.plus)])

    @cached_property
    def article_table(self) -> PhraseTable[str]:
        """Lookup table of articles that represent a number."""
        return PhraseTable(self.articles.items())

    @cached_property
    def unit_words(self) -> frozenset[str]:
        """Words that occur in the names of units."""
        return _words(self.units)

    @cached_property
    def ambiguous_words(self) -> frozenset[str]:
        """Words that occur in ambiguous number words."""
        return _words(self.ambiguous)

    def standard_spelling(self, word: str) -> str:
        """Returns a word in the spelling that text2num expects."""
        for part, standard in self.letters.items():
            word = word.replace(part, standard)
        return self.spellings.get(word, word)


def _words(phrases: list[str]) -> frozenset[str]:
    return frozenset(word for phrase in phrases for word in words_of(phrase))


@lru_cache(maxsize=16)
def number_words(language: str) -> NumberWords:
    """Loads the number words of a language.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with file and line, if the file is missing or invalid.
    """
    consequence = f"The language {language} is off"
    return read_form(LANGUAGES / language / "numbers.yaml", NumberWords, LARGEST_FILE, consequence)
