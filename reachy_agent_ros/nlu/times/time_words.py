"""Time phrases of a language, from the file `languages/CODE/times.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Literal

from pydantic import Field, model_validator

from reachy_agent_ros.nlu.number_words import LANGUAGES, LARGEST_FILE
from reachy_agent_ros.nlu.times.slots import NUMBER_SLOTS, date_slot, list_slot, weekday_part_slot
from reachy_agent_ros.nlu.times.spelling import TimeSpelling
from reachy_agent_ros.nlu.times.spoken_words import SpokenTimes, Unit, Weekday
from reachy_agent_ros.nlu.times.templates import Fields, Grammar, TemplateError
from reachy_agent_ros.nlu.tokens import PhraseTable, Token, words_of
from reachy_agent_ros.storage.strict_yaml import PlacedError, StrictForm, read_form

UNIT_SIZES: Mapping[str, tuple[str, int]] = {
    "second": ("seconds", 1),
    "minute": ("seconds", 60),
    "hour": ("seconds", 3600),
    "day": ("days", 1),
    "week": ("days", 7),
    "month": ("months", 1),
    "year": ("months", 12),
}
"""Value to which each unit is converted, and the conversion factor."""

PHRASE_RULES = ("every", "after", "clock", "duration", "day", "part", "loose_clock", "loose_part")
"""Rules of the parts of a phrase; of two that match the same words, the first counts. A loose one counts only next to
another part, or alone in a sentence."""

Rules = dict[str, dict[str, dict[str, int | float | str] | None]]
"""Templates by rule, each with the values that it adds."""

_LONG = 6
"""Minimum length of a template word that is rarely about something else, characters."""

_SHORT = 3
"""Maximum length of names that are usually about something else, such as "may" and "sun", characters."""

Part = Literal["am", "pm", "dawn", "morning", "noon", "afternoon", "evening", "night"]


class TimeWords(StrictForm):
    """Words and templates of time phrases in a language.

    Attributes:
        twelve_hour: Whether people rarely use hours above 12.
        month_first: Whether "3/5" is March 5.
        glue: Words that may stand between the parts of a phrase.
        markers: Words that change the meaning of a time next to them, such as "every" and "ago".
        corrections: Words after which a time replaces the previous one: "at seven, no, at eight".
        units: Names of units.
        weekdays: Names of weekdays.
        months: Names of the months from January on.
        parts: Names of the parts of the day.
        compounds: Endings of a weekday's name that add a part of the day, as in the German "Montagabend".
        lists: Other lists of words, each with its value.
        rules: Templates of `PHRASE_RULES`, and of the rules that these contain.
        spoken: Words with which the robot says times.
    """

    twelve_hour: bool = False
    month_first: bool = False
    glue: list[str]
    markers: list[str] = Field(default_factory=list)
    corrections: list[str] = Field(default_factory=list)
    units: dict[Unit, list[str]]
    weekdays: dict[Weekday, list[str]]
    months: list[list[str]] = Field(min_length=12, max_length=12)
    parts: dict[Part, list[str]]
    compounds: dict[Part, list[str]] = Field(default_factory=dict)
    lists: dict[str, dict[int | str, list[str]]] = Field(default_factory=dict)
    rules: Rules
    spoken: SpokenTimes

    @model_validator(mode="after")
    def _parsed(self) -> TimeWords:
        try:
            _ = self.grammar
        except TemplateError as error:
            raise PlacedError(("rules", error.rule, error.template), str(error)) from None
        return self

    @cached_property
    def glue_words(self) -> frozenset[str]:
        """Individual words that may stand between the parts of a phrase."""
        return frozenset(word for phrase in self.glue for word in words_of(phrase))

    def is_about_time(self, tokens: Sequence[Token], index: int) -> bool:
        """Returns whether the word at `index` is about time rather than another subject."""
        text = tokens[index].text
        is_long = len(text) >= _LONG and text not in self.glue_words and self.spelling.knows(text)
        return is_long or self._list_words.longest(tokens, index) is not None

    @cached_property
    def _list_words(self) -> PhraseTable[None]:
        words = {name for name in self._names() if len(name) > _SHORT}
        return PhraseTable((word, None) for word in words | set(self.markers))

    def _names(self) -> Iterator[str]:
        """Yields all phrases in the lists."""
        yield from chain(*self.units.values(), *self.weekdays.values(), *self.parts.values(), *self.months)
        yield from chain(*(names for values in self.lists.values() for names in values.values()))

    @cached_property
    def correction_words(self) -> PhraseTable[None]:
        """Lookup table of the correction phrases."""
        return PhraseTable((phrase, None) for phrase in self.corrections)

    @cached_property
    def spelling(self) -> TimeSpelling:
        """Spelling checker for all time words."""
        return TimeSpelling(
            {word for name in self._names() for word in words_of(name)} | self.grammar.words | self.glue_words
        )

    @cached_property
    def grammar(self) -> Grammar:
        """Grammar built from the rules and slots."""
        slots = {
            **NUMBER_SLOTS,
            "date": date_slot(self.month_first),
            "unit": list_slot(self.units),
            "weekday": list_slot(self.weekdays),
            "month": list_slot(dict(enumerate(self.months, start=1))),
            "part": list_slot(self.parts),
            "weekday_part": weekday_part_slot(self.weekdays, self.compounds),
            **{name: list_slot(values) for name, values in self.lists.items()},
        }
        rules: dict[str, dict[str, Fields]] = {name: {} for name in PHRASE_RULES}
        for name, templates in self.rules.items():
            rules[name] = {template: fields or {} for template, fields in templates.items()}
        return Grammar(rules, slots, {"amount": measured, "after": measured, "every": measured})


def measured(fields: Fields) -> Fields:
    """Converts a number and its unit, with any minutes that follow hours, to seconds, days or months."""
    if "unit" not in fields:
        return fields
    rest = {name: value for name, value in fields.items() if name not in ("unit", "number", "minutes")}
    if "minutes" in fields:
        rest["seconds"] = float(rest.get("seconds", 0)) + 60 * float(fields["minutes"])
    name, size = UNIT_SIZES[str(fields["unit"])]
    amount = float(fields["number"]) * size
    if not amount.is_integer() and name != "seconds":
        name, amount = "seconds", amount * (86400 if name == "days" else 30 * 86400)
    return {**rest, name: amount + float(rest.get(name, 0))}


@lru_cache(maxsize=16)
def time_words(language: str) -> TimeWords:
    """Loads the time phrases of a language.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with file and line, if the file is missing or invalid.
    """
    return read_form(LANGUAGES / language / "times.yaml", TimeWords, LARGEST_FILE, "Times are not read")
