import sqlite3
import stat
from pathlib import Path

import pytest

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage import database, database_file


def entries(count: int) -> list[MemoryEntry]:
    return [MemoryEntry(EntryKind.EPISODE, f"Task {number} was done. {'x' * 600}") for number in range(count)]


def test_memory_database_uses_full_synchronous_mode_and_secure_delete(memory: Memory) -> None:
    with memory._entries._database.reading() as connection:
        values = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
        assert [*values, connection.execute("PRAGMA secure_delete").fetchone()[0]] == ["wal", 2, 1]


@pytest.mark.parametrize("content", [b"This is no database at all. " * 300, b"SQLite format 3\0" + b"\7" * 5000])
def test_sets_aside_file_that_is_not_a_database(path: Path, embedder: SentenceEmbedder, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    memory = Memory(path, embedder)
    assert memory.set_aside is not None
    assert memory.set_aside.read_bytes() == content
    memory.remember(*entries(1))
    assert len(memory) == 1
    memory.close()


def test_opening_memory_sets_aside_database_with_damaged_page(path: Path, embedder: SentenceEmbedder) -> None:
    memory = Memory(path, embedder)
    memory.remember(*entries(20))
    memory.close()
    content = bytearray(path.read_bytes())
    content[8192:20480] = b"\xa5" * 12288
    path.write_bytes(content)
    memory = Memory(path, embedder)
    assert memory.set_aside is not None
    assert memory.set_aside.read_bytes() == content
    assert len(memory) == 0
    memory.close()


@pytest.mark.slow
def test_damaged_open_database_is_reported_and_replaced_with_new_file(path: Path, embedder: SentenceEmbedder) -> None:
    memory = Memory(path, embedder)
    memory.remember(*entries(200))
    memory.close()
    memory = Memory(path, embedder)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (path.stat().st_size - 4096))
    with memory._entries._database.reading() as connection:
        connection.execute("PRAGMA shrink_memory")  # otherwise cached pages would not be read from the file
    with pytest.raises(AgentError) as error:
        memory.recall("task")
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert memory.set_aside is not None
    assert str(memory.set_aside) in error.value.message
    assert memory.recall("task") == []
    (stored,) = memory.remember(*entries(1))
    assert memory.recall("task")[0].entry == stored
    memory.close()


def test_keeps_intact_memory_database_after_transient_error(memory: Memory) -> None:
    memory.remember(*entries(3))
    passing = sqlite3.DatabaseError("database disk image is malformed")
    passing.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    with pytest.raises(AgentError) as error, memory._entries._database.reading():
        raise passing
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert memory.set_aside is None
    assert len(memory) == 3


def test_search_sets_aside_file_with_damaged_text_index(memory: Memory) -> None:
    memory.remember(*entries(3))
    with memory._entries._database.writing() as connection:
        connection.execute("UPDATE words_data SET block = randomblob(length(block)) WHERE id > 10")
    with pytest.raises(AgentError) as error:
        memory.recall_words("done")
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert memory.set_aside is not None
    assert len(memory) == 0


def test_rejects_memory_database_of_newer_version(path: Path, embedder: SentenceEmbedder) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(AgentError, match="later version"):
        Memory(path, embedder)
    assert [file.name for file in path.parent.glob("*damaged*")] == []


def test_locked_memory_database_raises_error_and_is_unchanged(
    memory: Memory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with memory._entries._database.reading() as connection:
        connection.execute("PRAGMA busy_timeout=10")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(AgentError, match="another process is writing") as error:
        memory.remember(*entries(1))
    assert error.value.code is ErrorCode.STORAGE_FAILED
    other.execute("ROLLBACK")
    other.close()
    assert memory.entries() == []
    memory.remember(*entries(1))


def test_full_disk_raises_error_and_leaves_memory_unchanged(memory: Memory) -> None:
    memory.remember(*entries(1))
    with memory._entries._database.reading() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(AgentError, match="the disk is full"):
        memory.remember(*entries(50))
    assert len(memory) == 1
    assert len(memory.recall("task", limit=100)) == 1


def test_erasure_is_not_confirmed_while_another_process_reads_database(memory: Memory, path: Path) -> None:
    with memory._entries._database.reading() as connection:
        connection.execute("PRAGMA busy_timeout=10")
    (stored,) = memory.remember(*entries(1))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM entries").fetchall()
    assert stored.identity is not None
    forgotten = memory.forget([stored.identity])
    assert (forgotten.count, forgotten.erased) == (1, False)
    assert memory.entries() == []
    other.execute("COMMIT")
    other.close()


def test_switches_to_new_file_if_another_process_set_aside_old_file(
    memory: Memory, path: Path, embedder: SentenceEmbedder
) -> None:
    memory.remember(*entries(2))
    database_file.set_aside(path)
    assert memory.entries() == []
    memory.remember(*entries(1))
    other = Memory(path, embedder)
    assert len(other) == 1
    other.close()


def test_memory_folder_that_cannot_be_created_raises_error(tmp_path: Path, embedder: SentenceEmbedder) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(AgentError) as error:
        Memory(tmp_path / "file" / "memory.db", embedder)
    assert error.value.code is ErrorCode.STORAGE_FAILED


def test_memory_file_is_readable_by_owner_only(memory: Memory, path: Path) -> None:
    memory.remember(*entries(1))
    for file in path.parent.glob(f"{path.name}*"):
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
