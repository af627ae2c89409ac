"""Statements and questions about people, pets, things, places and preferences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

SPEAKER = ""
"""Name of the entity that stands for the person who speaks."""

ABOUT = "about"
"""Relation of a question that asks for everything about an entity."""

_SEVERAL = frozenset(("like", "have", "allergy", "kind", "play", "speak", "eat", "collect"))
"""Relations that an entity can have to several values at once. A statement replaces only one with the same value."""


class EntityKind(StrEnum):
    """Kind of an entity."""

    PERSON = "person"
    ANIMAL = "animal"
    THING = "thing"
    PLACE = "place"
    PREFERENCE = "preference"


Gender = Literal["female", "male", "neuter", "either"]
"""Gender of a pronoun that can stand for an entity; "either" fits every pronoun."""


@dataclass(frozen=True)
class Entity:
    """Somebody or something that a statement is about.

    Attributes:
        name: Name in lower case, such as "sister" or "bella"; `SPEAKER` for the person who speaks.
        kind: Kind of the entity.
        mention: How the person refers to the entity, such as "my sister".
        gender: Gender of pronouns that can stand for the entity.
    """

    name: str
    kind: EntityKind
    mention: str = ""
    gender: Gender = "either"


@dataclass(frozen=True)
class Statement:
    """Statement about an entity.

    Attributes:
        entity: Entity that the statement is about.
        relation: Name of the relation, such as "home", or of an attribute, such as "favorite color".
        value: Value of the relation in the person's words, such as "Lyon".
        text: Complete statement in the person's words, which needs no context: "my sister lives in Lyon".
        negated: Whether the statement denies the relation.
        language: ISO 639-1 code.
    """

    entity: Entity
    relation: str
    value: str
    text: str
    negated: bool = False
    language: str = "en"

    @property
    def has_several(self) -> bool:
        """Whether the entity can have the relation to several values at once."""
        return self.relation in _SEVERAL

    @property
    def key(self) -> str:
        """Memory key, which is the same for all statements of which only one can be true."""
        parts = (self.entity.name, self.relation, bare(self.value) if self.has_several else "")
        return " ".join(filter(None, parts))


@dataclass(frozen=True)
class Question:
    """Question about statements.

    Attributes:
        relation: Name of the relation, or `ABOUT`.
        subject: Name of the entity; None if the question asks who has the relation.
        value: Value that the question names; empty if it asks for the value.
        negated: Whether the question asks what a person denies.
        language: ISO 639-1 code.
        text: Question in words that need no context.
        mention: How the question refers to its subject, such as "my dog"; empty for the person who speaks.
    """

    relation: str
    subject: str | None
    value: str = ""
    negated: bool = False
    language: str = "en"
    text: str = ""
    mention: str = ""


def bare(value: str) -> str:
    """Returns a value in lower case with single spaces, as values are compared."""
    return " ".join(value.casefold().split())
