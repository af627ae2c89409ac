"""Knowledge store: entities, their relations and the statements about them, as an index over the facts of the memory.

A fact is the one record of what a person told: its words, source, time and provenance labels. Its row in `statements`
is derived from the words by rules (`nlu/facts`) and points to the entities. So nothing is stored twice, a fact that is
erased takes its statement and its entities with it, and better rules only need to read the facts again. A fact that the
rules do not understand has an empty row and is found by searching.

A statement that contradicts an earlier one replaces it. The earlier fact moves to the table `earlier` with both dates,
where no answer and no prompt finds it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.nlu.facts.fact_reader import read_statements
from reachy_agent_ros.nlu.facts.statement import ABOUT, SPEAKER, EntityKind, Question, Statement, bare
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of

CERTAIN = 1.0
"""Confidence of a statement in the words of the household."""

DOUBTFUL = 0.5
"""Confidence of a statement with provenance labels: from a document, a web page or another program."""

_SEALED = ("entry", "subject", "relation", "value", "negated", "confidence")
_EARLIER = ("key", "text", "source", "origin", "replaced_by", "created", "replaced")
_PARAMETERS = tuple(f"?{number}" for number in range(1, 8))

TABLES = """
CREATE TABLE entities (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE, -- lower case; empty for the person who speaks
    kind TEXT NOT NULL -- person, animal, thing, place or preference
);
CREATE TABLE statements (
    entry INTEGER PRIMARY KEY REFERENCES entries (id) ON DELETE CASCADE,
    subject INTEGER REFERENCES entities (id), -- NULL if the rules do not understand the fact
    relation TEXT NOT NULL,
    value TEXT NOT NULL, -- lower case
    negated INTEGER NOT NULL,
    confidence REAL NOT NULL, -- 0 to 1
    object INTEGER REFERENCES entities (id), -- the place or the preference
    seal BLOB
);
CREATE INDEX statements_by_subject ON statements (subject, relation);
CREATE INDEX statements_by_value ON statements (relation, value);
CREATE TRIGGER statements_removed AFTER DELETE ON statements BEGIN
    DELETE FROM entities WHERE id IN (old.subject, old.object)
        AND id NOT IN (SELECT subject FROM statements WHERE subject IS NOT NULL)
        AND id NOT IN (SELECT object FROM statements WHERE object IS NOT NULL);
END;
CREATE TABLE earlier ( -- facts that newer ones have replaced
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    source TEXT NOT NULL,
    origin TEXT NOT NULL,
    replaced_by TEXT NOT NULL, -- key of the fact that replaced it
    created REAL NOT NULL, -- seconds since 1970
    replaced REAL NOT NULL, -- seconds since 1970
    seal BLOB
);
CREATE INDEX earlier_by_key ON earlier (replaced_by);
"""

# Only constants become part of the statements.
_ADD = f"""
    INSERT INTO statements ({", ".join(_SEALED)}, object, seal)
    VALUES ({", ".join(_PARAMETERS)}, {seal_of(*_PARAMETERS[:5], "CAST(?6 AS REAL)")})
"""  # noqa: S608
_SOUND = is_sound("'statement ' || entry", *_SEALED)
_FIND = f"""
    SELECT entry, value, negated FROM statements WHERE {_SOUND} AND relation = ?1
    AND (?2 IS NULL OR subject IN (SELECT value FROM json_each(?2)))
"""  # noqa: S608
_ABOUT = f"""
    SELECT entry FROM statements WHERE {_SOUND} AND (subject IN (SELECT value FROM json_each(?1))
    OR object IN (SELECT value FROM json_each(?1)))
"""  # noqa: S608
_ALIASES = f"SELECT subject FROM statements WHERE relation = 'name' AND NOT negated AND value = ? AND {_SOUND}"  # noqa: S608
_NAMES = f"SELECT value FROM statements WHERE relation = 'name' AND NOT negated AND subject = ? AND {_SOUND}"  # noqa: S608
_MERGE = f"""
    UPDATE statements SET subject = ?1, seal = {seal_of("entry", "?1", *_SEALED[2:])}
    WHERE subject = (SELECT id FROM entities WHERE name = ?2)
"""  # noqa: S608
_UNUSED = """
    id NOT IN (SELECT subject FROM statements WHERE subject IS NOT NULL)
    AND id NOT IN (SELECT object FROM statements WHERE object IS NOT NULL)
"""
_DELETE_UNUSED = f"DELETE FROM entities WHERE name = ? AND {_UNUSED}"  # noqa: S608
_KEEP = f"""
    INSERT INTO earlier ({", ".join(_EARLIER)}, seal)
    VALUES ({", ".join(_PARAMETERS)}, {seal_of(*_PARAMETERS[:5], "CAST(?6 AS REAL)", "CAST(?7 AS REAL)")})
"""  # noqa: S608
_SOUND_EARLIER = is_sound("'earlier fact ' || id", *_EARLIER)
_HISTORY = f"SELECT {', '.join(_EARLIER)} FROM earlier WHERE replaced_by = ? AND {_SOUND_EARLIER} ORDER BY id DESC"  # noqa: S608

_OBJECTS = {"home": EntityKind.PLACE, "origin": EntityKind.PLACE, "like": EntityKind.PREFERENCE}
"""Relations whose value is an entity, with its kind."""


@dataclass(frozen=True)
class EarlierFact:
    """Fact that a newer one has replaced.

    Attributes:
        fact: The fact.
        replaced: Time at which it was replaced, s since 1970.
    """

    fact: MemoryEntry
    replaced: float


class KnowledgeTable:
    """Entities, statements and replaced facts in the memory file.

    Args:
        connection: Connection to the file. The caller provides the transaction for changes.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, identity: int, fact: MemoryEntry) -> None:
        """Adds the statement of a stored fact."""
        statement = statement_in(fact)
        confidence = DOUBTFUL if fact.origin else CERTAIN
        if statement is None:
            self._connection.execute(_ADD, (identity, None, "", "", False, confidence, None))
            return
        named = self._named(statement.entity.name)
        subject = self._entity(statement.entity.name, statement.entity.kind) if named is None else named
        value = bare(statement.value)
        kind = _OBJECTS.get(statement.relation)
        target = None if kind is None else self._entity(value, kind)
        row = (identity, subject, statement.relation, value, statement.negated, confidence, target)
        self._connection.execute(_ADD, row)
        if self._named(value) == subject:  # statements about "Bella" are now about the dog, whatever its next name is
            self._connection.execute(_MERGE, (subject, value))
            self._connection.execute(_DELETE_UNUSED, (value,))

    def unread(self) -> list[int]:
        """Returns the numbers of the facts that have no row yet, because an earlier version stored them."""
        query = "SELECT id FROM entries WHERE kind = ? AND id NOT IN (SELECT entry FROM statements)"
        return [identity for (identity,) in self._connection.execute(query, (EntryKind.FACT,))]

    def contradicted_by(self, fact: MemoryEntry) -> list[int]:
        """Returns the numbers of the facts that cannot be true together with a new one."""
        statement = statement_in(fact)
        if statement is None:
            return []
        value = bare(statement.value)
        subjects = self._same(statement.entity.name)
        rows = self._connection.execute(_FIND, (statement.relation, json.dumps(subjects)))
        return [entry for entry, other, _ in rows if not statement.has_several or other == value]

    def answers(self, question: Question) -> list[int]:
        """Returns the numbers of the facts that answer a question, newest first."""
        if question.relation == ABOUT:
            return self._about(question.subject or SPEAKER)
        subjects = None if question.subject is None else json.dumps(self._referred(question.subject))
        rows = self._connection.execute(_FIND, (question.relation, subjects))
        found = [
            entry
            for entry, value, negated in rows
            if _names(value, question.value) and (bool(question.value) or not question.negated or negated)
        ]
        return sorted(found, reverse=True)

    def concerning(self, words: Collection[str]) -> list[int]:
        """Returns the numbers of the facts about the entities whose names are among some words, newest first."""
        names = [name for (name,) in self._connection.execute("SELECT name FROM entities WHERE name != ''")]
        named = [name for name in names if set(name.split()) <= set(words)]
        aliases = [word for word in words if self._connection.execute(_ALIASES, (word,)).fetchone() is not None]
        return sorted({number for name in (*named, *aliases) for number in self._about(name)}, reverse=True)

    def names(self, name: str) -> set[str]:
        """Returns all names in lower case of the entities that a name stands for."""
        found = self._referred(name)
        called = {value for identity in found for (value,) in self._connection.execute(_NAMES, (identity,))}
        return called if name == SPEAKER else called | {name}

    def keep_earlier(self, fact: MemoryEntry, key: str, replaced: float) -> None:
        """Keeps a fact that the fact with the given key replaces at a time (s since 1970)."""
        row = (fact.key, fact.text, fact.source, fact.origin, key, fact.created, replaced)
        self._connection.execute(_KEEP, row)

    def earlier(self, key: str) -> list[EarlierFact]:
        """Returns the facts that the fact with a key has replaced, the latest first."""
        return [
            EarlierFact(MemoryEntry(EntryKind.FACT, text, own, source, created, origin=origin), replaced)
            for own, text, source, origin, _, created, replaced in self._connection.execute(_HISTORY, (key,))
        ]

    def forget_earlier(self, keys: Collection[str], text: str | None = None) -> None:
        """Deletes replaced facts with any of the keys: all of them, or those with the given text."""
        self._connection.execute(
            "DELETE FROM earlier WHERE replaced_by IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR text = ?2)",
            (json.dumps(list(keys)), text),
        )

    def clear(self) -> None:
        """Deletes all replaced facts. Statements and entities are deleted with their facts."""
        self._connection.execute("DELETE FROM earlier")

    def _about(self, name: str) -> list[int]:
        entities = json.dumps(self._referred(name))
        return sorted((entry for (entry,) in self._connection.execute(_ABOUT, (entities,))), reverse=True)

    def _entity(self, name: str, kind: EntityKind) -> int:
        self._connection.execute("INSERT OR IGNORE INTO entities (name, kind) VALUES (?, ?)", (name, kind))
        identity: int = self._connection.execute("SELECT id FROM entities WHERE name = ?", (name,)).fetchone()[0]
        return identity

    def _named(self, name: str) -> int | None:
        """Returns the only entity that is called by a name. Several people may have the name of the one who speaks."""
        found = {subject for (subject,) in self._connection.execute(_ALIASES, (name,))}
        speaker = self._connection.execute("SELECT id FROM entities WHERE name = ?", (SPEAKER,)).fetchone()
        return found.pop() if len(found) == 1 and (speaker is None or speaker[0] not in found) else None

    def _same(self, name: str) -> list[int]:
        """Returns the entities that a name stands for: itself, the one that is called so, and the one named by it."""
        found = {
            identity for (identity,) in self._connection.execute("SELECT id FROM entities WHERE name = ?", (name,))
        }
        names = {value for identity in found for (value,) in self._connection.execute(_NAMES, (identity,))}
        if name != SPEAKER:
            found |= {subject for (subject,) in self._connection.execute(_ALIASES, (name,))}
        for alias in names:
            row = self._connection.execute("SELECT id FROM entities WHERE name = ?", (alias,)).fetchone()
            found |= {row[0]} if row is not None else set()
        return sorted(found)

    def _referred(self, name: str) -> list[int]:
        """Returns the entities that a question refers to: "sister" also stands for the only "older sister"."""
        found = self._same(name)
        if found or name == SPEAKER:
            return found
        words = set(name.split())
        names = [other for (other,) in self._connection.execute("SELECT name FROM entities")]
        return sorted({one for other in names if words < set(other.split()) for one in self._same(other)})


def statement_in(fact: MemoryEntry) -> Statement | None:
    """Returns the statement that a fact makes; None if the rules do not understand it, or it makes several."""
    return _statement(fact.text)


@lru_cache(maxsize=4096)  # a fact is read when it is compared with others, and when it is stored
def _statement(text: str) -> Statement | None:
    statements = read_statements(text).statements
    return statements[0] if len(statements) == 1 else None


def _names(value: str, asked: str) -> bool:
    """Returns whether a value is among what a question names: "green tea" is "tea"."""
    return set(asked.split()) <= set(value.split())
