"""Search for the parts of time phrases in a sentence, such as day and time of day, and grouping of related parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from reachy_agent_ros.nlu.number_words import number_words
from reachy_agent_ros.nlu.times.templates import Fields
from reachy_agent_ros.nlu.times.time_words import PHRASE_RULES, TimeWords, time_words
from reachy_agent_ros.nlu.tokens import Token

_RULES_AFTER_PART = ("every", "after", "clock", "loose_clock", "day", "part", "loose_part", "duration")
"""`PHRASE_RULES` after another part: "18 heures" is a time of day in "demain 18 heures", otherwise a duration."""

_CLOCKS = ("clock", "loose_clock")

_REPEATED = ("day", "every")
"""Rules that two adjacent parts may match: "Sunday, May 3", "every two weeks on Mondays"."""


_SHARED = ("weekday", "part")
"""Values that two such parts may both have: "every Monday and every Thursday". Other values would be added up."""


@dataclass(frozen=True)
class Part:
    """Part of a time phrase.

    Attributes:
        rule: Rule that the part matches, without "loose_".
        is_loose: Whether the part counts only next to another one, or alone in the sentence.
        start: Index of the first token.
        end: Index after the last token.
        fields: Values of the part.
    """

    rule: str
    is_loose: bool
    start: int
    end: int
    fields: Fields


def time_phrases(found: Sequence[Token], language: str) -> list[list[Part]]:
    """Finds the time phrases of a sentence. Returns each phrase as a list of its parts.

    Args:
        found: Tokens of the sentence.
        language: ISO 639-1 code.
    """
    words = time_words(language)
    phrases: list[list[Part]] = []
    for group in _groups(found, language):
        if phrases and _is_corrected(found[phrases[-1][-1].end : group[0].start], words):
            phrases[-1] = _with_correction(phrases[-1], group)
        elif not all(part.is_loose for part in group) or _is_whole(group, found):
            phrases.append(group)
    return phrases


def _is_whole(group: Sequence[Part], found: Sequence[Token]) -> bool:
    outside = chain(found[: group[0].start], found[group[-1].end :])
    return not any(token.text[0].isalnum() for token in outside)


def _groups(found: Sequence[Token], language: str) -> list[list[Part]]:
    """Groups consecutive parts that belong together."""
    groups: list[list[Part]] = []
    for part in _parts(found, language):
        if groups and _continues(groups[-1], part, found, time_words(language)):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _parts(found: Sequence[Token], language: str) -> Iterator[Part]:
    """Finds the longest part at each position."""
    words = time_words(language)
    search = words.grammar.search(found)
    index = 0
    last: Part | None = None
    while index < len(found):
        best: Part | None = None
        for rule in _RULES_AFTER_PART if _is_clock_likely(last, found, index, words) else PHRASE_RULES:
            match = search.longest(rule, index)
            if match is None or (best is not None and match[0] <= best.end):
                continue
            if rule in _CLOCKS and _is_unit(found[match[0] : match[0] + 1], language):
                continue
            best = Part(rule.removeprefix("loose_"), rule.startswith("loose_"), index, *match)
        index = index + 1 if best is None else best.end
        if best is not None:
            last = best
            yield best


def _is_clock_likely(last: Part | None, found: Sequence[Token], index: int, words: TimeWords) -> bool:
    """Returns whether a time of day can follow the last part or correct the last part."""
    if last is None:
        return False
    between = found[last.end : index]
    return _is_corrected(between, words) if last.rule == "clock" else _is_glue(between, words)


def _is_unit(following: Sequence[Token], language: str) -> bool:
    """Returns whether tokens begin with a unit. The number before a unit is not a time, as in "at 20 degrees"."""
    is_angle = any(token.spelling is not None and token.number is None for token in following)
    return is_angle or any(token.text in number_words(language).unit_words for token in following)


def _is_glue(between: Sequence[Token], words: TimeWords) -> bool:
    return all(token.text in words.glue_words for token in between)


def _continues(group: Sequence[Part], part: Part, found: Sequence[Token], words: TimeWords) -> bool:
    rules = [one.rule for one in group]
    is_complete = "duration" in rules or any(one.rule == "after" and "seconds" in one.fields for one in group)
    if part.rule == "duration" or is_complete:
        return False
    if part.rule in rules and not (part.rule in _REPEATED and rules.count(part.rule) == 1):
        return False
    days = {name for one in group if one.rule in _REPEATED for name in one.fields} if part.rule in _REPEATED else set()
    shared = days & set(part.fields)
    if not shared <= set(_SHARED) or (shared and rules[-1] != part.rule):
        return False
    return _is_glue(found[group[-1].end : part.start], words)


def _is_corrected(between: Sequence[Token], words: TimeWords) -> bool:
    """Returns whether the words between two times contain a correction. If so, the second time replaces the first."""
    return any(words.correction_words.longest(between, index) for index in range(len(between)))


def _with_correction(phrase: Sequence[Part], group: Sequence[Part]) -> list[Part]:
    """Applies a correction to a phrase: "tomorrow at seven pm, no, at eight" becomes tomorrow at eight pm."""
    old = {part.rule: part for part in phrase}
    corrected = [_corrected(part, old) for part in group]
    rules = {part.rule for part in corrected}
    kept = [part for part in phrase if part.rule not in rules and not rules & {"duration", "after"}]
    return [replace(part, start=phrase[0].start) for part in kept] + corrected


def _corrected(part: Part, old: dict[str, Part]) -> Part:
    if part.rule == "duration" and "after" in old:
        return replace(part, rule="after")
    before = old.get(part.rule)
    if part.rule == "clock" and before is not None and "part" in before.fields and "part" not in part.fields:
        return replace(part, fields={**part.fields, "part": before.fields["part"]})
    return part
