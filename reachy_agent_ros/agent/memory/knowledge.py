"""Knowledge about people, pets, things, places and preferences: answers from the statements in the memory."""

from __future__ import annotations

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry, contains, normalized
from reachy_agent_ros.agent.memory.entry_store import EntryStore
from reachy_agent_ros.agent.memory.knowledge_table import EarlierFact
from reachy_agent_ros.nlu.facts.fact_reader import names_in, read_entity, read_question
from reachy_agent_ros.nlu.facts.statement import ABOUT, Question

MOST_MENTIONS = 100
"""Maximum number of facts in an answer, and of entries that contain a name."""


class Knowledge:
    """Answers from the facts of the memory. All methods raise `STORAGE_FAILED` if the file cannot be read.

    Args:
        entries: Store of the facts.
    """

    def __init__(self, entries: EntryStore) -> None:
        self._entries = entries

    def answer(self, question: str, limit: int = MOST_MENTIONS) -> list[MemoryEntry] | None:
        """Returns the facts that state the answer to a question, newest first; empty if it is unknown.

        Returns None if the text is not a question about statements, so that only a search can answer it. The name of an
        entity alone asks for everything about the entity.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        asked = read_question(question)
        alone = Question(ABOUT, _entity_name(question)) if asked is None else asked
        with self._entries.reading() as table:
            numbers = table.knowledge.answers(alone)[:limit]
            facts = table.by_number(numbers)
        found = [facts[number] for number in numbers if number in facts]
        return found if asked is not None or found else None

    def concerning(self, text: str) -> list[MemoryEntry]:
        """Returns the facts that answer a text, or that are about somebody or something in it.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        stated = self.answer(text) or []
        with self._entries.reading() as table:
            numbers = table.knowledge.concerning(names_in(text))
            facts = table.by_number(numbers)
        return list(dict.fromkeys([*stated, *(facts[number] for number in numbers if number in facts)]))

    def earlier(self, key: str) -> list[EarlierFact]:
        """Returns the facts that the fact with a key has replaced, the latest first.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._entries.reading() as table:
            return table.knowledge.earlier(normalized(key))

    def mentions(self, name: str) -> list[MemoryEntry]:
        """Returns the facts about an entity, and the facts and episodes that contain one of its names.

        Args:
            name: Name, such as "Bella", or words such as "my dog".

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        entity = _entity_name(name)
        with self._entries.reading() as table:
            names = {*table.knowledge.names(entity), normalized(name)} - (
                {entity} if entity != normalized(name) else set()
            )
            found = table.by_number(table.knowledge.answers(Question(ABOUT, entity)))
        for one in names:
            said = self._entries.search_words(one, (EntryKind.FACT, EntryKind.EPISODE), MOST_MENTIONS)
            found |= {entry.identity or 0: entry for entry, _ in said if contains(entry.sentence, one)}
        return list(found.values())


def _entity_name(words: str) -> str:
    """Returns the name of the entity that words refer to: "dog" for "my dog"."""
    entity = read_entity(words)
    return normalized(words) if entity is None else entity.name
