import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.storage.backup.snapshot import snapshot


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "plants.md").write_text("Water them.")
    return folder


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


@pytest.fixture
def database(source: Path) -> Iterator[sqlite3.Connection]:
    """Yields an open database whose latest write is only in its write-ahead log."""
    with closing(sqlite3.connect(source / "memory.db", isolation_level=None, check_same_thread=False)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("CREATE TABLE rows (number INTEGER)")
        connection.execute("INSERT INTO rows VALUES (1)")
        yield connection


def rows(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        return [number for (number,) in connection.execute("SELECT number FROM rows ORDER BY number")]


def test_snapshot_copies_database_with_its_journal(source: Path, target: Path, database: sqlite3.Connection) -> None:
    assert (source / "memory.db-wal").stat().st_size > 0
    assert snapshot(source, target) == []
    assert sorted(path.name for path in target.rglob("*") if path.is_file()) == ["memory.db", "plants.md"]
    assert rows(target / "memory.db") == [1]


def test_snapshot_copies_file_again_if_it_changes_during_copy(
    source: Path, target: Path, database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    copyfile = shutil.copyfile

    def interrupted(origin: Path, copy: Path) -> None:
        copyfile(origin, copy)
        if origin.name == "plants.md" and not (source / "notes" / "more.md").exists():
            database.execute("INSERT INTO rows VALUES (2)")
            origin.write_text("Do not water them.")
            (source / "notes" / "more.md").touch()
            (source / "notes" / "old.md").unlink()

    (source / "notes" / "old.md").touch()
    monkeypatch.setattr("shutil.copyfile", interrupted)
    snapshot(source, target)
    assert rows(target / "memory.db") == [1, 2]
    assert (target / "notes" / "plants.md").read_text() == "Do not water them."
    assert sorted(path.name for path in (target / "notes").iterdir()) == ["more.md", "plants.md"]


def test_snapshot_skips_lock_files(source: Path, target: Path) -> None:
    (source / "lock").touch()
    (source / "memory.db.lock").touch()
    snapshot(source, target)
    assert [path.name for path in target.iterdir()] == ["notes"]


def test_snapshot_skips_and_reports_symbolic_links(source: Path, target: Path) -> None:
    (source / "elsewhere").symlink_to("/etc")
    (source / "notes" / "host").symlink_to("/etc/hostname")
    assert snapshot(source, target) == ["elsewhere", "notes/host"]
    assert not (target / "elsewhere").exists()


def test_error_for_damaged_database_contains_remedy(source: Path, target: Path, database: sqlite3.Connection) -> None:
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    content = (source / "memory.db").read_bytes()
    (source / "memory.db").write_bytes(content[:4096] + b"\xff" * 4096)
    with pytest.raises(AgentError, match=r"memory\.db"):
        snapshot(source, target)


def test_rejects_database_with_invalid_utf8_name(source: Path, target: Path, database: sqlite3.Connection) -> None:
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    content = (source / "memory.db").read_bytes()
    (source / "memory.db").write_bytes(content.replace(b"CREATE TABLE rows", b"CREATE \xff\xfe\xff\xfe\xff rows"))
    with pytest.raises(AgentError, match=r"memory\.db"):
        snapshot(source, target)


def test_snapshot_copies_damaged_database_that_was_set_aside(source: Path, target: Path) -> None:
    (source / "memory.db.damaged-2026").write_bytes(b"SQLite format 3\0 and nothing that fits")
    snapshot(source, target)
    assert (target / "memory.db.damaged-2026").read_bytes().endswith(b"nothing that fits")


def test_error_names_continuously_changing_file(source: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def copyfile(origin: Path, copy: Path) -> None:
        copy.write_bytes(origin.read_bytes())
        with origin.open("a") as file:
            file.write("More.")

    monkeypatch.setattr("shutil.copyfile", copyfile)
    with pytest.raises(AgentError, match=r"notes/plants\.md changes continuously"):
        snapshot(source, target)
