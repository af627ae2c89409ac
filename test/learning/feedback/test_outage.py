"""Database outages: acknowledged rows are stored once and in order after the outage."""

import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback import database
from reachy_agent_ros.learning.feedback.rows import Row, row_of_judgment
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from support.learning.feedback_cases import said


def words(text_: str, at: float = 100.0) -> Row:
    return row_of_judgment(said(text_, at=at))


def texts(store: FeedbackStore) -> list[str]:
    rows = [row for row in store.rows() if row.table == "judgements"]
    return [row.values["text"] for row in sorted(rows, key=lambda row: row.values["given"])]


def test_stores_rows_added_while_database_file_was_missing(store: FeedbackStore, path: Path) -> None:
    store.add([words("before", 1.0)])
    path.rename(path.with_name("away"))
    store.add([words("meanwhile", 2.0)])
    assert "is missing" in store.problem
    assert not path.exists()
    with pytest.raises(AgentError, match="is missing") as error:
        store.acts()
    assert error.value.code is ErrorCode.STORAGE_FAILED
    path.with_name("away").rename(path)
    store.add([words("after", 3.0)])
    assert store.problem == ""
    assert texts(store) == ["before", "meanwhile", "after"]


def test_switches_to_replaced_database_file(store: FeedbackStore, path: Path) -> None:
    store.add([words("old")])
    store.close()
    copy = path.with_name("copy")
    FeedbackStore(copy).close()
    copy.replace(path)
    for left in path.parent.glob("feedback.db-*"):
        left.unlink()
    store.add([words("new")])
    assert texts(store) == ["new"]


def test_rows_are_written_to_spool_if_database_is_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT", 0.01)
    store = FeedbackStore(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.add([words("meanwhile")])
    assert "locked" in store.problem
    with pytest.raises(AgentError, match="locked"):
        store.replay()
    other.execute("ROLLBACK")
    other.close()
    assert store.replay() == 1
    assert texts(store) == ["meanwhile"]
    assert store.replay() == 0
    store.close()


def test_feedback_store_starts_with_locked_database_without_losing_rows(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT", 0.01)
    path.parent.mkdir()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    store = FeedbackStore(path)
    assert store.problem
    store.add([words("early")])
    other.execute("ROLLBACK")
    other.close()
    store.close()
    again = FeedbackStore(path)
    assert texts(again) == ["early"]
    again.close()


def test_full_database_is_reported_and_rows_are_written_to_spool(store: FeedbackStore) -> None:
    store.add([words("before", 1.0)])
    with store._database.reading() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        connection.execute(text(f"PRAGMA max_page_count={pages}"))
    many = [words(f"{number} {'x' * 1000}", 2.0 + number) for number in range(50)]
    store.add(many)
    assert "full" in store.problem
    store._database.close()  # the size limit applies to the connection
    assert len(texts(store)) == 51


def test_full_disk_raises_storage_failed_and_stores_no_row(store: FeedbackStore, path: Path) -> None:
    store.add([words("before")])
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, usual[1]))
    try:
        with pytest.raises(AgentError) as error:
            store.add([words("x" * 1000)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert error.value.code is ErrorCode.STORAGE_FAILED
    spool = path.with_suffix(".spool")
    assert not spool.exists() or spool.stat().st_size == 0
    store.add([words("after")])
    assert sorted(texts(store)) == ["after", "before"]


def test_damaged_database_is_reported_and_rows_are_written_to_spool(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"This is no database at all. " * 300)
    store = FeedbackStore(path)
    assert "not a database" in store.problem
    store.add([words("kept")])
    store.close()
    path.rename(path.with_name("damaged"))
    again = FeedbackStore(path)
    assert texts(again) == ["kept"]
    again.close()


def test_data_of_person_is_deleted_completely_or_not_at_all_during_outage(store: FeedbackStore, path: Path) -> None:
    path.rename(path.with_name("away"))
    store.add([row_of_judgment(said("secret", person="Ada"))])
    with pytest.raises(AgentError, match="is missing"):
        store.forget("Ada")
    path.with_name("away").rename(path)
    assert store.forget("Ada") == 1
    assert all(b"secret" not in file.read_bytes() for file in path.parent.iterdir())


def test_deletion_reports_words_left_in_log_and_erases_them_when_repeated(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT", 0.0)
    store = FeedbackStore(path)
    store.add([row_of_judgment(said("secret", person="Ada"))])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM judgements").fetchall()
        with pytest.raises(AgentError, match="still contains it") as error:
            store.forget("Ada")
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert store.forget("Ada") == 0
    assert all(b"secret" not in file.read_bytes() for file in path.parent.iterdir())
    store.close()
