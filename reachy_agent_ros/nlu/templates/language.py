"""Loading of a language's sentence templates from its folder.

A folder has one file `common.yaml` (words that belong to no command, lists and rules) and in `intents/` one file per
tool, with the sentence templates of each intent in the syntax of hassil:

    sentences:
      nod:
        - "nick[e] [mit dem kopf]"
      look direction=up:
        - "kopf hoch"

All templates are parsed when the language is loaded, so that a mistake is reported with its file and line. Each is
parsed once: the templates of six languages take two seconds of a core.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hassil.intents import IntentData, RangeSlotList, SlotList, TextSlotList, WildcardSlotList
from hassil.parse_expression import parse_sentence
from hassil.parser import ParseError
from pydantic import Field, ValidationInfo, field_validator

from reachy_agent_ros.core.suggestion import did_you_mean
from reachy_agent_ros.nlu.number_words import number_words
from reachy_agent_ros.nlu.templates.template_index import (
    LEVEL,
    NOUN,
    REFERENCE,
    WILDCARD,
    Template,
    TemplateIndex,
    TemplateWords,
)
from reachy_agent_ros.nlu.templates.tokens import SPELLED_OUT, folded_template
from reachy_agent_ros.storage.strict_yaml import PlacedError, StrictForm, read_form

LANGUAGES = Path(__file__).parents[1] / "languages"
"""Folder with one folder per language, named by its ISO 639-1 code."""

ENGLISH = "en"
"""The language that also has rules."""

NO_COMMAND = "no_command"
"""Intent of sentences that only look like a command with free text: "say something funny"."""

_LARGEST = 1 << 18
"""Maximum size of a file, bytes."""


class Modifiers(StrictForm):
    """Phrases that modify a command, at any position.

    Attributes:
        little: A small amount.
        far: The largest amount.
        slowly: A slow motion.
        quickly: A quick motion, which is the default.
        degrees: Unit of angles.
        seconds: Unit of durations.
        minutes: Unit of durations.
        hours: Unit of durations.
        times: Unit of repetitions.
        count: Phrases that name a number of repetitions, by number.
        before_number: Prepositions before a number with its unit.
    """

    little: list[str]
    far: list[str]
    slowly: list[str]
    quickly: list[str]
    degrees: list[str]
    seconds: list[str]
    minutes: list[str]
    hours: list[str]
    times: list[str]
    count: dict[int, list[str]]
    before_number: list[str]


class Common(StrictForm):
    """Content of the file `common.yaml` of a language.

    Attributes:
        ignored: Words that are dropped anywhere, such as "please" and the robot's name.
        opening: Phrases that are dropped at the beginning of a clause, such as "could you".
        closing: Phrases that are dropped at its end, such as "for me".
        simultaneous: Phrases between two clauses that run at the same time: "and".
        sequential: Phrases between two clauses that run in this order: "then".
        correction: Phrases that take back the clause before them: "no, I mean".
        negation: Words that take back a clause only if they stand alone, because otherwise they negate the clause that
            they begin: "não".
        remarks: Words that begin a clause which only comments on a command: "I", "because".
        subjects: Words that begin such a clause only after a pause, because otherwise an object follows them: "the".
        reports: Words of clauses that report or suppose a command: "said", "if".
        requests: Words of clauses that request what no tool does: "bring".
        abstract: Nouns that name nothing that a camera can see: "hour".
        modifiers: Phrases that change a command.
        lists: Templates of each value, by name of the list.
        rules: Templates that others refer to, by name.
    """

    ignored: list[str]
    opening: list[str]
    closing: list[str]
    simultaneous: list[str]
    sequential: list[str]
    correction: list[str]
    negation: list[str] = Field(default_factory=list)
    remarks: list[str] = Field(default_factory=list)
    subjects: list[str] = Field(default_factory=list)
    reports: list[str] = Field(default_factory=list)
    requests: list[str] = Field(default_factory=list)
    abstract: list[str] = Field(default_factory=list)
    modifiers: Modifiers
    lists: dict[str, dict[str, list[str]]]
    rules: dict[str, str] = Field(default_factory=dict)

    def phrases(self) -> Iterator[str]:
        """Yields all phrases that are not part of a template."""
        yield from (*self.ignored, *self.opening, *self.closing, *self.simultaneous, *self.sequential)
        yield from (*self.correction, *self.negation)
        for value in self.modifiers.model_dump().values():
            yield from value if isinstance(value, list) else (phrase for many in value.values() for phrase in many)

    @field_validator("lists")
    @classmethod
    def _check_lists(
        cls, lists: dict[str, dict[str, list[str]]], info: ValidationInfo
    ) -> dict[str, dict[str, list[str]]]:
        for name, values in lists.items():
            for value, templates in values.items():
                for index, template in enumerate(templates):
                    _check(template, (name, value, index), (), (), info)
        return lists

    @field_validator("rules")
    @classmethod
    def _check_rules(cls, rules: dict[str, str], info: ValidationInfo) -> dict[str, str]:
        lists = info.data.get("lists", {})
        for index, (name, template) in enumerate(rules.items()):
            _check(template, (name,), list(rules)[:index], [*lists, *_RUN_TIME_LISTS], info)
        return rules


class TemplateFile(StrictForm):
    """Content of a template file in the folder `intents/` of a language.

    Attributes:
        sentences: Sentence templates, by name of the intent and the slots that they imply.
    """

    sentences: dict[str, list[str]]

    @field_validator("sentences")
    @classmethod
    def _check_sentences(cls, sentences: dict[str, list[str]], info: ValidationInfo) -> dict[str, list[str]]:
        common: Common = (info.context or {})["common"]
        for name, templates in sentences.items():
            if not re.fullmatch(r"\w+(?: \w+=\w+)*", name):
                raise PlacedError((name,), "Expected the name of an intent, such as nod or look direction=up")
            for index, template in enumerate(templates):
                _check(template, (name, index), common.rules, [*common.lists, *_RUN_TIME_LISTS], info)
        return sentences


_RUN_TIME_LISTS = (WILDCARD, NOUN, LEVEL, "dance")
"""Lists whose values are not written in a file."""


@dataclass(frozen=True)
class Language:
    """Sentence templates of a language.

    Attributes:
        code: ISO 639-1 code.
        common: Words that belong to no command.
        index: Templates of all intents.
        words: All words that occur in templates and phrases.
    """

    code: str
    common: Common
    index: TemplateIndex
    words: frozenset[str]
    _words_before_text: frozenset[str]
    _head_words: frozenset[str]

    def can_have(self, words: Iterable[str]) -> bool:
        """Returns, by a quick check, whether a sentence may be a command in this language.

        Args:
            words: All words of the sentence, see `tokens_of`.
        """
        said = {word for word in words if word[0].isalpha()}
        return bool(said) and (said <= self.words or not said.isdisjoint(self._words_before_text))

    def names_head(self, text: str) -> bool:
        """Returns whether a text contains a word of the rules `head` and `look`."""
        return not self._head_words.isdisjoint(text.split())

    def coverage(self, words: Sequence[str]) -> float:
        """Returns the share of words that occur in the templates, from 0 to 1."""
        return sum(word in self.words for word in words) / len(words) if words else 0.0


def load_language(folder: Path, dances: Sequence[str] = ()) -> Language:
    """Loads and checks a language, including its number words, which every sentence needs.

    Args:
        folder: Folder of the language, named by its code.
        dances: Names of the dances.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with file and line of each mistake.
    """
    consequence = f"The language {folder.name} is off"
    path = folder / "common.yaml"
    common = read_form(path, Common, _LARGEST, consequence)
    number_words(folder.name)
    values = {name: _folded_values(many) for name, many in common.lists.items()}
    values["dance"] = [(folded_template(name.replace("_", " ")), name) for name in dances]
    written = {name: folded_template(template) for name, template in common.rules.items()}
    with _explained(path, Common, consequence):
        lists: dict[str, SlotList] = {
            name: TextSlotList.from_tuples(pairs, name=name) for name, pairs in values.items()
        }
        rules = {name: parse_sentence(template) for name, template in written.items()}
    lists.update((name, WildcardSlotList(name=name)) for name in (WILDCARD, NOUN))
    lists[LEVEL] = RangeSlotList(name=LEVEL, start=0, stop=100, words=False)
    words = TemplateWords({name: [text for text, _ in pairs] for name, pairs in values.items()}, written)
    templates: list[Template] = []
    for path in sorted((folder / "intents").glob("*.yaml")):
        file = read_form(path, TemplateFile, _LARGEST, consequence, context={"common": common})
        with _explained(path, TemplateFile, consequence, common=common):
            templates += _templates_of(file, words)
    index = TemplateIndex(folder.name, templates, lists, rules)
    anywhere = words.of(" ".join(map(folded_template, [*common.phrases(), *SPELLED_OUT.values()])))
    listed = (words.of(f"{{{name}}}") for name in lists)
    known = anywhere.union(*listed, *(template.words for template in templates))
    before_text = frozenset().union(*(template.words for template in templates if template.has_text))
    head = frozenset(words.literal(template for name, template in written.items() if name in ("head", "look")))
    return Language(folder.name, common, index, known, before_text, head)


def _templates_of(file: TemplateFile, words: TemplateWords) -> Iterator[Template]:
    """Parses and yields the templates of a file."""
    for key, templates in file.sentences.items():
        intent, *values = key.split()
        slots = dict(value.split("=") for value in values)
        for template in map(folded_template, templates):
            data = IntentData([template], slots, wildcard_list_names={WILDCARD, NOUN})
            (sentence,) = data.sentences
            text = str(sentence.text)
            yield Template(intent, data, words.of(text), words.has_text(text))


def _folded_values(values: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Returns pairs of template and value for all templates of a list."""
    return [(folded_template(template), value) for value, templates in values.items() for template in templates]


@contextmanager
def _explained(path: Path, form: type[StrictForm], consequence: str, **context: object) -> Iterator[None]:
    """Converts parser errors in the `with` block to an error that lists each invalid template and its line."""
    try:
        yield
    except _INVALID:
        read_form(path, form, _LARGEST, consequence, context={**context, "parse": True})
        raise


def _check(
    template: str,
    place: tuple[int | str, ...],
    rules: Collection[str],
    lists: Collection[str],
    info: ValidationInfo,
) -> None:
    """Raises `PlacedError` for invalid templates. Checks the syntax only if the context contains `parse`."""
    within = _WITHIN_WORD.search(template)
    if within is not None:
        raise PlacedError(place, f"{template!r} has a bracket within a word at {within.group()!r}: write whole words")
    if (info.context or {}).get("parse"):
        try:
            parse_sentence(folded_template(template))
        except _INVALID as error:
            raise PlacedError(place, f"{template!r} is not a valid template: {error}") from None
    for bracket, name in REFERENCE.findall(template):
        kind, known = ("rule", rules) if bracket == "<" else ("list", lists)
        if name not in known:
            closest = did_you_mean(name, known)
            hint = f".{closest}" if closest else ""
            raise PlacedError(place, f"{template!r} refers to the unknown {kind} {name!r}{hint}")


_WITHIN_WORD = re.compile(r"[^\W_][(\[{<]|[)\]}>][^\W_]")
_INVALID = (ParseError, AssertionError)
"""Exceptions that hassil raises for an invalid template."""
