import sqlite3
import subprocess
import sys
import threading
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import pytest

from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.entry_table import SEALED, EntryTable
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.row_checksums import RowChecksums, seal_of


def fact(key: str, text: str) -> MemoryEntry:
    return MemoryEntry(EntryKind.FACT, text, key, "the person", 1000.0)


def episode(text: str, created: float = 1000.0) -> MemoryEntry:
    return MemoryEntry(EntryKind.EPISODE, text, source="a task", created=created, participants=("Maria",))


def bytes_of(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_memory_recalls_entries_by_words_and_by_meaning(memory: Memory) -> None:
    (stored,) = memory.remember(fact("pet", "a dachshund called Bruno"))
    memory.remember(fact("job", "teaches physics"), episode("Sorted the screws by length."))
    for query in ("Bruno", "Which dog do I have?"):
        first = memory.recall(query)[0]
        assert first.entry == stored
        assert 0.0 <= first.score <= 1.0
    assert [found.entry.kind for found in memory.recall("Bruno the dog", [EntryKind.EPISODE])] == [EntryKind.EPISODE]
    assert len(memory.recall("anything", limit=2)) == 2


def test_entries_are_visible_to_other_memories_of_same_file(
    memory: Memory, path: Path, embedder: SentenceEmbedder
) -> None:
    other = Memory(path, embedder)
    assert other.recall("tea") == []
    (stored,) = memory.remember(fact("drink", "green tea"))
    assert other.recall("tea")[0].entry == stored
    assert stored.identity is not None
    memory.forget([stored.identity])
    assert other.recall("tea") == []
    other.close()


def test_new_value_of_fact_replaces_old_value_which_is_kept_apart(memory: Memory) -> None:
    memory.remember(fact("Favorite  Color", "ultramarine"))
    memory.remember(fact("favorite color", "vermilion"))
    assert [(entry.key, entry.text) for entry in memory.entries()] == [("favorite color", "vermilion")]
    assert [one.fact.text for one in memory.knowledge.earlier("favorite color")] == ["ultramarine"]
    assert all(found.entry.text != "ultramarine" for found in memory.recall("ultramarine"))


def test_forgotten_fact_leaves_no_trace_of_earlier_values(memory: Memory, path: Path) -> None:
    memory.remember(fact("favorite color", "ultramarine"))
    (kept,) = memory.remember(fact("favorite color", "vermilion"))
    memory.forget([kept.identity or 0])
    assert memory.knowledge.earlier("favorite color") == []
    assert b"ultramarine" not in bytes_of(path)
    assert b"vermilion" not in bytes_of(path)


def test_last_of_two_values_for_same_fact_in_one_call_is_kept(memory: Memory) -> None:
    memory.remember(fact("name", "Ann"), fact("name", "Anne"))
    assert [entry.text for entry in memory.entries()] == ["Anne"]


def test_forgotten_entry_leaves_no_trace_in_file(memory: Memory, path: Path) -> None:
    kept, gone = memory.remember(episode("Watered the zinnias."), episode("Zanzibarian quokkas discussed at length."))
    assert b"quokka" in bytes_of(path)
    assert gone.identity is not None
    forgotten = memory.forget([gone.identity, 4711])
    assert (forgotten.count, forgotten.erased) == (1, True)
    assert memory.entries() == [kept]
    assert b"quokka" not in bytes_of(path).lower()
    assert b"zanzibar" not in bytes_of(path).lower()
    assert all(found.entry == kept for found in memory.recall("Zanzibarian quokkas"))


def test_forget_everything_erases_all_entries(memory: Memory, path: Path) -> None:
    memory.remember(*(episode(f"Xylophone lesson number {number}.") for number in range(20)))
    assert memory.forget_everything().count == 20
    assert len(memory) == 0
    assert memory.recall("xylophone") == []
    assert b"xylophon" not in bytes_of(path).lower()
    memory.remember(episode("A new beginning."))
    assert memory.recall("beginning")[0].entry.text == "A new beginning."


def test_numbers_of_entries_are_never_reused(memory: Memory) -> None:
    (first,) = memory.remember(episode("One."))
    memory.forget_everything()
    (second,) = memory.remember(episode("Two."))
    assert first.identity != second.identity


@pytest.mark.parametrize(
    "entry",
    [
        fact("", "no key"),
        fact("key", " \n "),
        episode("x" * 20_001),
        episode("half \ud800"),
        episode("late", float("inf")),
        episode("never", float("nan")),
    ],
)
def test_call_with_one_invalid_memory_entry_stores_none_of_the_entries(memory: Memory, entry: MemoryEntry) -> None:
    with pytest.raises(AgentError) as error:
        memory.remember(episode("A good one."), entry)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert memory.entries() == []


@pytest.mark.parametrize(("query", "limit"), [("", 5), ("  ", 5), ("tea", 0), ("tea", 101)])
def test_memory_search_rejects_invalid_query_or_limit(memory: Memory, query: str, limit: int) -> None:
    with pytest.raises(AgentError) as error:
        memory.recall(query, limit=limit)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


@pytest.mark.parametrize("query", ['"', "NOT AND (", "a* OR ^b {c}", "\ud800", "\0", "…", "x" * 100_000, "' OR 1=1 --"])
def test_memory_search_accepts_any_query(memory: Memory, query: str) -> None:
    memory.remember(episode("An entry."))
    assert len(memory.recall(query)) == 1


@pytest.mark.slow
def test_threads_can_share_memory(memory: Memory) -> None:
    def work(name: str) -> None:
        for number in range(5):
            memory.remember(episode(f"{name} did thing {number}."))
            assert memory.recall(name)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("Ann", "Bob", "Eve")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(memory) == 15
    assert len(memory.recall("thing", limit=100)) == 15


PROGRAM = """
import sys
from pathlib import Path
from reachy_agent_ros.storage.row_checksums import RowChecksums, seal_of
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.entry_table import EntryTable
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.entry_table import SEALED

memory = Memory(Path(sys.argv[1]), SentenceEmbedder())
for number in range(10):
    memory.remember(MemoryEntry(EntryKind.EPISODE, f"{sys.argv[2]} said number {number}."))
memory.close()
"""


@pytest.mark.slow
def test_processes_can_share_memory_file(memory: Memory, path: Path) -> None:
    processes = [subprocess.Popen([sys.executable, "-c", PROGRAM, str(path), name]) for name in ("Ann", "Bob")]
    assert [process.wait(timeout=100) for process in processes] == [0, 0]
    assert len(memory.recall("number", limit=100)) == 20


def test_memory_search_tolerates_concurrent_deletion_of_entry(
    memory: Memory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (stored,) = memory.remember(episode("Sorted the screws by length."))
    read = EntryTable.vectors

    def forgotten_after(table: EntryTable, identities: Collection[int]) -> tuple[list[int], Vectors]:
        found = read(table, identities)
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("DELETE FROM entries")
        return found

    monkeypatch.setattr(EntryTable, "vectors", forgotten_after)
    assert [found.entry for found in memory.recall("screws")] == [stored]
    monkeypatch.undo()
    assert memory.recall("screws") == []


def test_migration_assigns_origins_to_entries(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    memory = Memory(path, SentenceEmbedder())
    memory.remember(
        MemoryEntry(EntryKind.FACT, "ultramarine", "color"), MemoryEntry(EntryKind.EPISODE, "Asked: something.")
    )
    memory.close()
    with closing(sqlite3.connect(path)) as file:
        RowChecksums("memory").install(file)
        file.executescript(
            "DROP TABLE statements; DROP TABLE entities; DROP TABLE earlier; "
            "ALTER TABLE entries DROP COLUMN origin; PRAGMA user_version = 2;"
        )
        file.execute(f"UPDATE entries SET seal = {seal_of(*SEALED[:-1])}")
        file.commit()
    memory = Memory(path, SentenceEmbedder())
    assert {entry.kind: entry.origin for entry in memory.entries()} == {
        EntryKind.FACT: "",
        EntryKind.EPISODE: "memory:unknown",
    }
    memory.close()
