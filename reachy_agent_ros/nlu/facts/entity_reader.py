"""Recognition of the entity that a part of a clause refers to: "my sister", "she", "the dog", "Bella"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reachy_agent_ros.nlu.facts.clause_words import ClauseWords
from reachy_agent_ros.nlu.facts.fact_language import FactLanguage, Noun
from reachy_agent_ros.nlu.facts.statement import Entity, EntityKind, Gender

_MOST_WORDS = 3
"""Maximum number of words in a noun phrase after a possessive."""


@dataclass(frozen=True)
class Reference:
    """Part of a clause that refers to an entity.

    Attributes:
        entity: The entity.
        is_pronoun: Whether the words are a pronoun, which means nothing without its context.
        is_name: Whether the words are a name alone.
        name: Name that follows the noun, as in "my sister Anna"; empty if there is none.
    """

    entity: Entity
    is_pronoun: bool = False
    is_name: bool = False
    name: str = ""


def reference(
    part: ClauseWords, language: FactLanguage, before: Entity | None, of_things: bool = False, asks: bool = False
) -> Reference | None:
    """Returns the entity that words refer to; None if they refer to nothing that can be named.

    Args:
        part: Words.
        language: Language of the words.
        before: Entity that a pronoun can stand for.
        of_things: Whether the words can be any noun with an article, such as "the keys".
        asks: Whether the words are part of a question, where a name of one word may be in lower case.
    """
    said = part.said
    if said in language.pronouns:
        gender = language.pronouns[said]
        return Reference(before, is_pronoun=True) if before is not None and _fits(before, gender) else None
    own = language.own.match(said)
    if own is not None:
        return _owned(part, len(own.group().split()), language)
    if part.words[0].text in language.articles and len(part.words) > 1:
        noun = part.after(1)
        if noun.said in language.nouns or of_things:
            return Reference(_thing(noun, part.written, language))
        return _named(noun, language, asks) if language.words.articled_names else None
    return _named(part, language, asks)


def owner(possessive: str, language: FactLanguage, before: Entity | None) -> Entity | None:
    """Returns the entity that a possessive such as "her" stands for."""
    gender = language.possessives[possessive]
    return before if before is not None and _fits(before, gender) else None


def owned(noun: ClauseWords, article: str | None, language: FactLanguage) -> Entity:
    """Returns the entity that a person has: "my dog" for "a dog".

    Args:
        noun: Noun phrase without its article.
        article: Article; None for a plural noun.
        language: Language of the words.
    """
    determiner = language.words.plural if article is None else language.determiners[article]
    known = [index for index, word in enumerate(noun.words) if word.text in language.nouns][-1:]
    noun = replace(noun, words=[noun.words[index] for index in known] or noun.words)
    return _thing(noun, f"{determiner} {noun.written}", language)


def known_noun(part: ClauseWords, language: FactLanguage) -> Noun | None:
    """Returns the known noun in a noun phrase; None if it contains none."""
    found = [language.nouns[word.text] for word in part.words if word.text in language.nouns]
    return found[-1] if found else None


def _owned(part: ClauseWords, determiners: int, language: FactLanguage) -> Reference | None:
    noun = part.after(determiners)
    texts = [word.text for word in noun.words]
    if not texts or len(texts) > _MOST_WORDS or noun.has_any(language.barred):
        return None
    name = ""
    if len(texts) > 1 and texts[-2] in language.nouns and texts[-1] not in language.nouns:
        if not noun.is_capitalized(len(texts) - 1):
            return Reference(_thing(noun, part.written, language))
        name = noun.after(len(texts) - 1).written
        noun, part = noun.without_end(1), part.without_end(1)
    return Reference(_thing(noun, part.written, language), name=name)


def _thing(noun: ClauseWords, mention: str, language: FactLanguage) -> Entity:
    known = known_noun(noun, language)
    name = " ".join(language.nouns[word.text].name if word.text in language.nouns else word.text for word in noun.words)
    if known is None:
        return Entity(name, EntityKind.THING, mention, "neuter")
    return Entity(name, known.kind, mention, known.gender)


def _named(part: ClauseWords, language: FactLanguage, asks: bool) -> Reference | None:
    texts = [word.text for word in part.words]
    if len(texts) > 2 or part.has_any(language.barred) or language.articles.union(language.nouns).intersection(texts):
        return None
    if language.speaker.fullmatch(texts[0]) or not all(text.isalpha() for text in texts):
        return None
    is_capitalized = all(part.is_capitalized(index) for index in range(len(texts)))
    if not (is_capitalized or (asks and len(texts) == 1)):
        return None
    return Reference(Entity(part.said, EntityKind.PERSON, part.written), is_name=True)


def _fits(entity: Entity, gender: Gender) -> bool:
    if "either" in (entity.gender, gender):
        return not (gender == "neuter" and entity.kind is EntityKind.PERSON)
    return entity.gender is gender
