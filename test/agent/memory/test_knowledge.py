"""Entities and statements in the memory, as an index over facts."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.recollection import memory_prompt
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.nlu.facts.fact_reader import Reading, read_statements


def tell(memory: Memory, *texts: str) -> None:
    reading = Reading()
    for text in texts:
        reading = read_statements(text, reading)
        assert reading.statements, text
        memory.remember(*(MemoryEntry(EntryKind.FACT, one.text, one.key) for one in reading.statements))


def answer(memory: Memory, question: str) -> list[str] | None:
    facts = memory.knowledge.answer(question)
    return None if facts is None else [fact.text for fact in facts]


def rows(path: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as file:
        return file.execute(f"SELECT * FROM {table}").fetchall()


def all_bytes(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_answers_question_in_other_words_and_another_language(memory: Memory) -> None:
    tell(memory, "My dog is called Bella.", "She is three years old.", "My sister lives in Lyon.")
    assert answer(memory, "What's the dog's name?") == ["My dog is called Bella"]
    assert answer(memory, "Wie heißt mein Hund?") == ["My dog is called Bella"]
    assert answer(memory, "How old is Bella?") == ["My dog is three years old"]
    assert answer(memory, "Who lives in Lyon?") == ["My sister lives in Lyon"]


def test_unknown_answer_differs_from_other_questions(memory: Memory) -> None:
    assert answer(memory, "Where does my brother live?") == []
    assert answer(memory, "Why is the sky blue?") is None


def test_contradiction_is_kept_with_dates_and_newer_statement_is_used(memory: Memory) -> None:
    tell(memory, "My dog is called Bella.", "No, my dog is called Stella.")
    assert answer(memory, "What is my dog called?") == ["my dog is called Stella"]
    (earlier,) = memory.knowledge.earlier("dog name")
    assert earlier.fact.text == "My dog is called Bella"
    assert earlier.fact.created <= earlier.replaced


def test_denial_replaces_preference(memory: Memory) -> None:
    tell(memory, "I like coffee.", "I like tea.", "I don't like coffee any more.")
    assert answer(memory, "Do I like coffee?") == ["I don't like coffee any more"]
    assert answer(memory, "What do I not like?") == ["I don't like coffee any more"]


def test_statement_replaces_contradicting_fact_with_another_key(memory: Memory) -> None:
    memory.remember(MemoryEntry(EntryKind.FACT, "My dog is called Bella.", "pet"))
    tell(memory, "My dog is called Stella.")
    assert [fact.text for fact in memory.entries()] == ["My dog is called Stella"]
    assert [one.fact.key for one in memory.knowledge.earlier("dog name")] == ["pet"]


def test_restored_fact_with_another_key_replaces_the_newer_one(memory: Memory) -> None:
    memory.remember(MemoryEntry(EntryKind.FACT, "My dog is called Bella.", "pet"))
    tell(memory, "My dog is called Stella.")
    for _ in range(2):  # to restore twice is the same as once
        memory.take_back("dog name", None)
        assert [(fact.key, fact.text) for fact in memory.entries()] == [("pet", "My dog is called Bella.")]
        assert memory.knowledge.earlier("dog name") == []


def test_name_of_pet_stands_for_pet(memory: Memory) -> None:
    tell(memory, "My dog is called Bella.", "Bella likes cheese.")
    assert answer(memory, "What does my dog like?") == ["Bella likes cheese"]
    assert answer(memory, "What do you know about my dog?") == ["Bella likes cheese", "My dog is called Bella"]


@pytest.mark.parametrize(
    "texts",
    [["My dog is called Bella.", "Bella is three years old."], ["Bella is three years old.", "Bella is my dog."]],
)
def test_facts_about_name_stay_with_renamed_pet(memory: Memory, path: Path, texts: list[str]) -> None:
    tell(memory, *texts, "No, my dog is called Stella.")
    assert answer(memory, "How old is my dog?") == ["Bella is three years old"]
    assert answer(memory, "How old is Stella?") == ["Bella is three years old"]
    assert [name for _, name, _ in rows(path, "entities")] == ["dog"]


def test_person_with_name_of_speaker_is_somebody_else(memory: Memory) -> None:
    memory.remember(MemoryEntry(EntryKind.FACT, "my name is Anna", "name"))
    tell(memory, "My sister is called Anna.", "My sister lives in Lyon.")
    assert answer(memory, "Where do I live?") == []


def test_noun_stands_for_entity_that_is_described_further(memory: Memory) -> None:
    tell(memory, "My older sister lives in Nice.")
    assert answer(memory, "Where does my sister live?") == ["My older sister lives in Nice"]


def test_erased_fact_takes_statement_and_entities_with_it(memory: Memory, path: Path) -> None:
    tell(memory, "My sister lives in Zanzibar.", "My brother lives in Nice.")
    memory.forget([fact.identity or 0 for fact in memory.knowledge.mentions("my sister")])
    assert [name for _, name, _ in rows(path, "entities")] == ["brother", "nice"]
    assert b"zanzibar" not in all_bytes(path).lower()


def test_everything_about_pet_includes_episodes_and_earlier_values(memory: Memory, path: Path) -> None:
    tell(memory, "My dog is called Quokka.", "No, my dog is called Bella.", "Bella is three years old.", "I like tea.")
    memory.remember(MemoryEntry(EntryKind.EPISODE, 'Asked: "Is bella asleep?" Answered: "Yes."'))
    memory.forget([entry.identity or 0 for entry in memory.knowledge.mentions("Bella")])
    assert [entry.text for entry in memory.entries()] == ["I like tea"]
    assert memory.knowledge.earlier("dog name") == []
    assert b"bella" not in all_bytes(path).lower()
    assert b"quokka" not in all_bytes(path).lower()


def test_facts_of_earlier_version_get_statements(path: Path, embedder: SentenceEmbedder) -> None:
    with closing(Memory(path, embedder)) as memory:
        memory.remember(MemoryEntry(EntryKind.FACT, "my dog is called Bella", "dog"))
    with closing(sqlite3.connect(path)) as file:
        file.executescript("DROP TABLE statements; DROP TABLE entities; DROP TABLE earlier; PRAGMA user_version = 3;")
    with closing(Memory(path, embedder)) as memory:
        assert answer(memory, "What is my dog called?") == ["my dog is called Bella"]


def test_changed_statement_is_left_out_and_reported(path: Path, embedder: SentenceEmbedder) -> None:
    with closing(Memory(path, embedder)) as memory:
        tell(memory, "My dog is called Bella.")
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE statements SET relation = 'home'")
        file.commit()
    with closing(Memory(path, embedder)) as memory:
        assert answer(memory, "Where does my dog live?") == []
        assert "statement" in memory.damage


def test_labeled_fact_has_low_confidence_and_stays_out_of_prompt(memory: Memory, path: Path) -> None:
    memory.remember(MemoryEntry(EntryKind.FACT, "My dog is called Bella.", "dog name", origin="memory:web"))
    assert [row[5] for row in rows(path, "statements")] == [0.5]
    assert memory_prompt(memory, "What is my dog called?") == ""


def test_prompt_prefers_facts_that_concern_message(memory: Memory) -> None:
    tell(memory, "My dog is called Bella.", "My sister lives in Lyon.")
    memory.remember(*(MemoryEntry(EntryKind.FACT, f"value {number}", f"key {number}") for number in range(40)))
    assert "Bella" not in memory_prompt(memory)
    assert "Bella" in memory_prompt(memory, "Is the dog hungry?")
    assert "Lyon" in memory_prompt(memory, "Where does my sister live?")


@pytest.mark.parametrize("text", ["'; DROP TABLE entries; --", "\x00", "?" * 2000, "my " * 300])
def test_hostile_question_is_harmless(memory: Memory, text: str) -> None:
    tell(memory, "My dog is called Bella.")
    memory.knowledge.answer(text)
    memory.knowledge.concerning(text)
    assert len(memory) == 1
