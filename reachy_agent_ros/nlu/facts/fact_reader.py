"""Reader of statements about people, pets and things, and of questions about them, in six languages.

Only plain statements of the person are read. Questions, hypotheses, quotations, reports of what others said, stories
and orders are not: a person can repeat a fact that is not kept, but a wrong fact misleads. The words and patterns are
in `languages/CODE/facts.yaml`.
"""

from __future__ import annotations

from reachy_agent_ros.nlu.facts.clause_words import sentences_of
from reachy_agent_ros.nlu.facts.entity_reader import Reference, reference
from reachy_agent_ros.nlu.facts.fact_language import fact_languages
from reachy_agent_ros.nlu.facts.fact_values import core_of
from reachy_agent_ros.nlu.facts.narration import Narration
from reachy_agent_ros.nlu.facts.narration import Reading as Reading
from reachy_agent_ros.nlu.facts.statement import Entity, Question
from reachy_agent_ros.nlu.templates.tokens import folded

LONGEST_TEXT = 1000
"""Maximum length of a text, characters. The limit bounds the time of pattern matching."""


def read_statements(text: str, before: Reading | None = None) -> Reading:
    """Returns the statements in a text, in the language in which most are understood.

    Args:
        text: What a person says.
        before: What the same person said just before, to which pronouns and corrections refer.
    """
    before = before or Reading()
    if len(text) > LONGEST_TEXT:
        return Reading()
    readings = [Narration(language, before).read(text) for language in fact_languages().values()]
    return max(readings, key=lambda one: len(one.statements), default=Reading())


def read_question(text: str, before: Reading | None = None) -> Question | None:
    """Returns the question in a text; None if it is not a question about statements.

    Args:
        text: What a person asks.
        before: What the same person said just before, to which pronouns refer.
    """
    if len(text) > LONGEST_TEXT:
        return None
    for language in fact_languages().values():
        narration = Narration(language, before or Reading())
        for sentence in sentences_of(text, language):
            for clause in sentence.clauses[:-1]:
                narration.note_entity(core_of(clause, language))
            for clause in sentence.clauses[-1:]:
                found = narration.question(core_of(clause, language))
                if found is not None and (sentence.asks or not Narration(language, Reading()).read(text).statements):
                    return found
    return None


def read_entity(text: str) -> Entity | None:
    """Returns the entity that a text names, such as "my dog" or "Bella"; None if the text is anything else."""
    found: list[Reference] = []
    for language in fact_languages().values():
        for sentence in sentences_of(text[:LONGEST_TEXT], language):
            said = reference(sentence.clauses[0], language, None, asks=True) if len(sentence.clauses) == 1 else None
            found += [] if said is None else [said]
    # "Meine Oma" would be a name in other languages, and "a Bella" is one word and an article in Portuguese.
    return min(found, key=lambda one: (one.is_name, len(one.entity.name))).entity if found else None


def names_in(text: str) -> set[str]:
    """Returns the words of a text that may be names of entities: the words themselves, and the English nouns."""
    words = set(folded(text[:LONGEST_TEXT]).replace("'", " ").split())
    plain = {word.strip(".,;:!?") for word in words}
    nouns = {
        language.nouns[word].name for language in fact_languages().values() for word in plain & language.nouns.keys()
    }
    return plain | nouns
