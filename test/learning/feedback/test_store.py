import json
import math
import sqlite3
import stat
import traceback
import uuid
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.history import export_lines
from reachy_agent_ros.learning.feedback.rows import row_of_judgment, rows_of_act
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from support.learning.feedback_cases import act, said


def tables(store: FeedbackStore) -> list[str]:
    return [row.table for row in store.rows()]


def texts(store: FeedbackStore) -> list[str]:
    return [row.values["text"] for row in store.rows() if row.table == "judgements"]


def test_another_feedback_store_can_read_stored_actions(store: FeedbackStore, path: Path) -> None:
    turn = uuid.uuid4()
    one, other = act(turn, outcome={"error": 0.02}), act(began=200.0, ended=201.0)
    store.add(rows_of_act(one))
    store.add(rows_of_act(other))
    again = FeedbackStore(path)
    assert again.acts() == [one, other]
    assert again.acts(turn) == [one]
    assert again.acts(uuid.uuid4()) == []
    again.close()


def test_feedback_database_uses_full_synchronous_mode_and_secure_delete(store: FeedbackStore) -> None:
    with store._database.reading() as connection:
        values = [connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in ("journal_mode", "synchronous")]
        assert [*values, connection.execute(text("PRAGMA secure_delete")).scalar_one()] == ["wal", 2, 1]


def test_feedback_files_are_readable_only_by_their_owner(store: FeedbackStore, path: Path) -> None:
    store.add([row_of_judgment(said("good"))])
    for file in path.parent.glob("feedback.*"):
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file


def test_feedback_store_updates_running_action_when_it_ends(store: FeedbackStore) -> None:
    running = act(ended=math.inf)
    store.add(rows_of_act(running))
    assert store.acts() == [running]
    ended = replace(running, ended=103.0, outcome={"error": 0.1})
    store.add(rows_of_act(ended))
    assert store.acts() == [ended]


def test_feedback_store_stores_duplicate_rows_once(store: FeedbackStore) -> None:
    row = row_of_judgment(said("good"))
    store.add([row])
    store.add([row, row])
    assert texts(store) == ["good"]


@pytest.mark.parametrize(
    "changes",
    [
        {"context": {"a": math.nan}},
        {"outcome": {"a": math.inf}},
        {"action": {"\0": 1.0}},
        {"skill": "a\0b"},
        {"skill": "\ud800"},
        {"probability": 0.0},
        {"probability": math.nan},
        {"began": math.nan},
        {"ended": 1.0},
    ],
)
def test_rejects_invalid_action_without_storing_it(store: FeedbackStore, changes: dict[str, object]) -> None:
    with pytest.raises(AgentError) as error:
        rows_of_act(replace(act(), **changes))
    assert error.value.code in (ErrorCode.NOT_FINITE, ErrorCode.INVALID_ARGUMENTS)
    assert tables(store) == []


def test_rejects_feedback_database_of_newer_version_without_changing_it(store: FeedbackStore, path: Path) -> None:
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '99'")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(AgentError, match="later version") as error:
        FeedbackStore(path)
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert path.read_bytes() == before


def test_deleting_data_of_person_overwrites_data_in_file(store: FeedbackStore, path: Path) -> None:
    for person in ("Ada", "Bob"):
        store.add([row_of_judgment(said(f"quite secret words of {person}", person=person))])
    assert store.forget("Ada") == 1
    assert texts(store) == ["quite secret words of Bob"]
    assert all(b"words of Ada" not in file.read_bytes() for file in path.parent.iterdir())
    assert store.forget("Ada") == 0


def test_retention_deletes_old_feedback_and_actions_without_reward(store: FeedbackStore) -> None:
    old, new = act(began=10.0, ended=11.0), act(began=100.0, ended=101.0)
    for one in (old, new):
        store.add(rows_of_act(one))
    store.add([row_of_judgment(said("old", at=12.0)), row_of_judgment(said("new", at=102.0))])
    assert store.retain(since=50.0) == 1
    assert texts(store) == ["new"]
    assert store.acts() == [new]


def test_exports_feedback_as_json_lines(store: FeedbackStore) -> None:
    only = act(outcome={"error": 0.02})
    store.add([*rows_of_act(only), row_of_judgment(said("größer 🎉"))])
    lines = [json.loads(line) for line in export_lines(store)]
    assert [line["kind"] for line in lines] == ["acts", "outcomes", "judgements", "policy_versions"]
    assert lines[0]["action"] == {"pitch": 0.2}
    assert lines[2]["text"] == "größer 🎉"


@pytest.mark.parametrize(
    "url",
    [
        *("", "nonsense", "mysql://host/secret", "sqlite://", "postgresql+nothing:secret"),
        *("sqlite:secret", "sqlite://u:secret@host/x.db", "sqlite+foo:///secret.db", "sqlite:///x.db?timeout=secret"),
        *("postgresql://u:secret@h:abc/x", "postgresql://h:secret/x"),
    ],
)
def test_error_for_invalid_database_url_does_not_reveal_url(url: str) -> None:
    with pytest.raises(AgentError) as error:
        FeedbackStore(url)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert "secret" not in "".join(traceback.format_exception(error.value, limit=0))


def test_reports_feedback_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(AgentError) as error:
        FeedbackStore(tmp_path / "file" / "feedback.db")
    assert error.value.code is ErrorCode.STORAGE_FAILED
