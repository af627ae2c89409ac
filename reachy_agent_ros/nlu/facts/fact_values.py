"""Parts of a clause that matches a pattern: the core of the clause, and the value that it states or asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reachy_agent_ros.nlu.facts.clause_words import ClauseWords
from reachy_agent_ros.nlu.facts.entity_reader import known_noun
from reachy_agent_ros.nlu.facts.fact_language import VALUES, FactLanguage
from reachy_agent_ros.nlu.facts.statement import bare

_NAMED = frozenset(("name", "home", "origin", "employer"))
"""Relations whose value is a name."""


def specific_relation(relation: str, found: Mapping[str, str | None]) -> str:
    """Returns the relation with what a favorite is of: "favorite color"."""
    return f"{relation} {found['of']}" if relation == "favorite" and found.get("of") else relation


def _kind(relation: str, match: re.Match[str]) -> str | None:
    """Returns the group of a match that is the value; None if there is none."""
    if relation == "have":
        return "noun" if match.groupdict().get("noun") else None
    return next((name for name in VALUES if name != "noun" and match.groupdict().get(name)), None)


def stated_value(relation: str, core: ClauseWords, match: re.Match[str], language: FactLanguage) -> str | None:
    """Returns the value of a statement as written; None if the words cannot be a value."""
    kind = _kind(relation, match)
    if kind is None:
        return None
    whole = core.part(match, kind)
    part = without_article(whole, language)
    texts = [word.text for word in part.words]
    if not texts or texts[0] in language.not_first or (kind != "spot" and part.has_any(language.barred)):
        return None
    if kind == "name" and not is_written_as_name(part, language):
        return None
    if kind == "place" and not _is_capitalized(part):
        return part.written if relation == "home" and whole.words[0].text in language.determiners else None
    if kind == "noun":
        noun = known_noun(part, language)
        return None if noun is None else noun.name
    has_month = any(language.month.fullmatch(text) for text in texts)
    if kind == "date" and not (has_month or any(text.isdigit() for text in texts)):
        return None
    if kind == "spot" and has_month:  # "my birthday is on the third of May"
        return None
    return part.written


def asked_value(relation: str, core: ClauseWords, match: re.Match[str], language: FactLanguage) -> str | None:
    """Returns the value that a question names, in lower case; empty if it asks for the value.

    Returns None if the words cannot be a value.
    """
    kind = _kind(relation, match)
    if kind is None:
        return ""
    part = without_article(core.part(match, kind), language)
    if kind == "noun":
        noun = known_noun(part, language)
        return None if noun is None else noun.name
    return None if part.has_any(language.barred) else bare(part.written)


def is_replacement(relation: str, part: ClauseWords, language: FactLanguage) -> bool:
    """Returns whether words alone can be the new value of a relation: "no, Bella"."""
    if relation == "age":
        return part.said.isdigit()
    if relation in _NAMED:
        return is_written_as_name(part, language)
    return not part.has_any(language.barred) and part.words[0].text not in language.not_first


def is_written_as_name(part: ClauseWords, language: FactLanguage) -> bool:
    """Returns whether words are written as a name. In a text without any capital letter, every word may be one."""
    texts = {word.text for word in part.words}
    if part.has_any(language.barred) or texts & language.articles or texts & language.nouns.keys():
        return False
    return _is_capitalized(part)


def _is_capitalized(part: ClauseWords) -> bool:
    """Returns whether words begin with a capital letter, or the text has none, so that it tells nothing."""
    return part.is_capitalized(0) or part.text == part.text.lower()


def without_article(part: ClauseWords, language: FactLanguage) -> ClauseWords:
    """Returns words without their article."""
    return part.after(1) if part.words and part.words[0].text in language.articles else part


def with_mention(core: ClauseWords, part: ClauseWords, mention: str) -> str:
    """Returns a clause as written, with other words instead of a part."""
    before = core.text[core.words[0].start : part.words[0].start]
    return f"{before}{mention}{core.text[part.words[-1].end : core.end]}"


def core_of(clause: ClauseWords, language: FactLanguage) -> ClauseWords:
    """Returns a clause without the words before and after it that do not change its meaning."""
    while (opening := language.opening.match(clause.said)) is not None:
        clause = clause.after(len(opening.group().split()))
    while (closing := language.closing.search(clause.said)) is not None:
        clause = clause.without_end(len(closing.group().split()))
    return clause


def without_opening(said: str, language: FactLanguage) -> str:
    """Returns the words of a sentence without those before it that do not change its meaning."""
    while (opening := language.opening.match(said)) is not None:
        said = said[opening.end() :]
    return said
