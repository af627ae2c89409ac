"""Compiled patterns of statements and questions in one language, from the file `languages/CODE/facts.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from reachy_agent_ros.nlu.facts.fact_words import FactWords
from reachy_agent_ros.nlu.facts.statement import EntityKind, Gender
from reachy_agent_ros.nlu.number_words import LANGUAGES, LARGEST_FILE
from reachy_agent_ros.nlu.templates.tokens import folded
from reachy_agent_ros.storage.strict_yaml import read_form

FILE_NAME = "facts.yaml"

VALUES = ("noun", "name", "place", "thing", "number", "date", "spot", "shade", "trait")
"""Groups of a pattern that are the value of a statement."""

_WORDS = {"x": 4, "name": 3, "place": 5, "thing": 4, "date": 5, "spot": 6, "of": 2, "noun": 2}
"""Maximum number of words in a part of a statement."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_GROUP = re.compile(r"\((?!\?)")


@dataclass(frozen=True)
class Noun:
    """Known noun for a person, an animal or a thing.

    Attributes:
        name: English noun.
        kind: Kind of the entity.
        gender: Gender of pronouns that can stand for the entity.
    """

    name: str
    kind: EntityKind
    gender: Gender


class FactLanguage:
    """Compiled patterns of a language.

    Args:
        code: ISO 639-1 code.
        words: Words and patterns of the language.
    """

    def __init__(self, code: str, words: FactWords) -> None:
        self.code = code
        self.words = words
        self.barred = frozenset(word.casefold() for word in words.barred)
        self.not_first = frozenset(map(folded, words.not_first))
        self.breaks = frozenset(word.casefold() for word in words.breaks)
        self.fillers = frozenset(word.casefold() for word in words.fillers)
        self.articles = frozenset(map(folded, words.articles))
        self.determiners = {folded(article): own for article, own in words.determiners.items()}
        self.pronouns = _by_word(words.pronouns)
        self.possessives = _by_word(words.its)
        self.own = re.compile(rf"(?:{folded(words.my)})(?: |$)")
        self._restated = _GROUP.sub("(?:", folded(words.restated))
        self.month = re.compile(folded(words.months))
        self.speaker = re.compile(f"(?:{folded(words.me)})")

    @cached_property
    def nouns(self) -> Mapping[str, Noun]:
        """Known nouns for people, animals and things."""
        groups = [(EntityKind.PERSON, gender, people) for gender, people in self.words.people.items()]
        groups.append((EntityKind.ANIMAL, "either", self.words.animals))
        groups.append((EntityKind.THING, "neuter", self.words.things))
        return {
            folded(word): Noun(name, kind, gender)
            for kind, gender, nouns in groups
            for name, spellings in nouns.items()
            for word in spellings
        }

    @cached_property
    def statements(self) -> Sequence[tuple[str, re.Pattern[str]]]:
        """Relations and patterns of statements, in the order of the file."""
        return self._compiled(self.words.statements)

    @cached_property
    def questions(self) -> Sequence[tuple[str, re.Pattern[str]]]:
        """Relations and patterns of questions, in the order of the file."""
        return self._compiled(self.words.questions)

    @cached_property
    def spellings(self) -> Sequence[tuple[re.Pattern[str], str]]:
        """Patterns of words to respell, and their replacements."""
        return [(re.compile(rf"\b{folded(pattern)}\b"), new) for pattern, new in self.words.spellings.items()]

    @cached_property
    def opening(self) -> re.Pattern[str]:
        """Words before a statement."""
        return re.compile(rf"(?:{_any(self.words.openings + self.words.corrections)}) ")

    @cached_property
    def asking(self) -> re.Pattern[str]:
        """Words before an indirect question."""
        return re.compile(rf"(?:{_any(self.words.asking)}) ")

    @cached_property
    def correction(self) -> re.Pattern[str]:
        """Clause that corrects the sentence before it, and may have the new value: "I mean Bella"."""
        corrections = _any(self.words.corrections + self.words.refusals)
        return re.compile(rf"(?:{corrections})(?: {self.new_value.pattern})?")

    @cached_property
    def denied(self) -> re.Pattern[str]:
        """Clause that denies a value: "it is not Rex"."""
        denial = _GROUP.sub("(?:", folded(self.words.denial))
        return re.compile(rf"(?:(?:{self._restated}) )?(?:{denial}) (?P<value>\S+(?: \S+)?)")

    @cached_property
    def new_value(self) -> re.Pattern[str]:
        """Clause with nothing but a new value: "it is Bella"."""
        return re.compile(rf"(?:(?:{self._restated}) )?(?P<value>\S+(?: \S+)?)")

    @cached_property
    def closing(self) -> re.Pattern[str]:
        """Words after a statement."""
        return re.compile(rf" (?:{_any(self.words.closings)})$")

    @cached_property
    def doubt(self) -> re.Pattern[str]:
        """Words of sentences that are not statements of the person."""
        return re.compile(rf"(?<!\w)(?:{_any(self.words.doubts)})(?!\w)")

    @cached_property
    def retraction(self) -> re.Pattern[str]:
        """Sentences that retract the sentences before them."""
        return re.compile(_any(self.words.retractions))

    def _compiled(self, patterns: Mapping[str, Sequence[str]]) -> Sequence[tuple[str, re.Pattern[str]]]:
        return [
            (relation, re.compile(self._expanded(folded(pattern))))
            for relation, some in patterns.items()
            for pattern in some
        ]

    def _expanded(self, pattern: str) -> str:
        return _PLACEHOLDER.sub(self._part, _GROUP.sub("(?:", pattern))

    def _part(self, placeholder: re.Match[str]) -> str:
        name = placeholder[1]
        if name == "me":
            return self.speaker.pattern
        if name == "my":
            return f"(?:{folded(self.words.my)})"
        if name == "its":
            return f"(?P<its>{'|'.join(self.possessives)})"
        if name == "a":
            return f"(?P<a>{'|'.join(self.determiners)})"
        if name == "whom":
            return rf"(?P<x>\S+(?: \S+){{0,{_WORDS['x'] - 1}}})"
        if name == "they":
            return "(?P<they>)"
        if name == "where":
            return f"(?:{folded(self.words.where)})"
        if name in ("shade", "trait"):
            return f"(?P<{name}>{_GROUP.sub('(?:', folded(getattr(self.words, name)))})"
        if name == "number":
            return r"(?P<number>\d+)"
        return rf"(?P<{name}>\S+(?: \S+){{0,{_WORDS[name] - 1}}}?)"


@cache
def fact_languages() -> Mapping[str, FactLanguage]:
    """Returns the patterns of all languages by ISO 639-1 code.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with file and line of each mistake.
    """
    files = {path.parent.name: path for path in sorted(LANGUAGES.glob(f"*/{FILE_NAME}"))}
    return {code: FactLanguage(code, read_form(path, FactWords, LARGEST_FILE)) for code, path in files.items()}


def _by_word(words: Mapping[Gender, Sequence[str]]) -> Mapping[str, Gender]:
    """Returns the gender of each word; `EITHER` for a word of several genders."""
    found: dict[str, Gender] = {}
    for gender, some in words.items():
        for word in map(folded, some):
            found[word] = "either" if word in found else gender
    return found


def _any(patterns: Iterable[str]) -> str:
    """Returns a pattern that matches any of some patterns. Longer patterns take precedence."""
    return "|".join(sorted((_GROUP.sub("(?:", folded(one)) for one in patterns), key=len, reverse=True)) or "(?!)"
