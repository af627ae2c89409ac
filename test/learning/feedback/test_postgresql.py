"""Feedback store on a real PostgreSQL server, which is stopped and restarted during the tests."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from sqlalchemy import create_engine, text

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.feedback.recorder import FeedbackRecorder
from reachy_agent_ros.learning.feedback.rows import row_of_judgment
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.score import Axis
from support.learning.feedback_cases import WordScorer, act, said


class Server(Protocol):
    url: str

    def start(self) -> None: ...

    def stop(self, how: str = "immediate") -> None: ...


@pytest.fixture
def url(postgres_server: Server) -> str:
    """Connection URL of a new, empty database."""
    name = f"feedback_{uuid.uuid4().hex[:8]}"
    admin = create_engine(postgres_server.url.replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    admin.dispose()
    return postgres_server.url.replace("/postgres?", f"/{name}?")


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[FeedbackStore]:
    store = FeedbackStore(url, tmp_path / "feedback.spool")
    yield store
    store.close()


def texts(store: FeedbackStore) -> list[str]:
    rows = [row for row in store.rows() if row.table == "judgements"]
    return [row.values["text"] for row in sorted(rows, key=lambda row: row.values["given"])]


@pytest.mark.slow
def test_postgresql_store_stores_and_reads_actions_feedback_and_rewards(store: FeedbackStore) -> None:
    recorder = FeedbackRecorder(store, WordScorer())
    done = act(uuid.uuid4(), outcome={"error": 0.02})
    recorder.note_act(done)
    reward = recorder.give(said("too far down"))
    assert (reward.act, reward.score.axes) == (done, (Axis.PITCH_UP,))
    assert store.acts(done.turn_id) == [done]
    assert {row.table for row in store.rows()} == {"acts", "outcomes", "judgements", "rewards", "policy_versions"}
    recorder.calibrate()


def test_postgresql_store_deletes_feedback_of_person_and_old_feedback(store: FeedbackStore) -> None:
    store.add([row_of_judgment(said("mine", at=50.0, person="Ada")), row_of_judgment(said("old", at=1.0))])
    assert store.forget("Ada") == 1
    assert store.retain(since=10.0) == 1
    assert texts(store) == []


def test_two_feedback_stores_can_share_postgresql_tables(url: str, tmp_path: Path) -> None:
    stores = [FeedbackStore(url, tmp_path / f"{number}.spool") for number in range(2)]
    assert [store.problem for store in stores] == ["", ""]
    stores[0].add([row_of_judgment(said("seen by both"))])
    assert texts(stores[1]) == ["seen by both"]
    for store in stores:
        store.close()


@pytest.mark.slow
def test_stores_rows_that_were_added_while_postgresql_server_was_down(
    postgres_server: Server, store: FeedbackStore
) -> None:
    store.add([row_of_judgment(said("before", at=1.0))])
    postgres_server.stop()
    try:
        store.add([row_of_judgment(said("meanwhile", at=2.0))])
        store.add([row_of_judgment(said("and again", at=3.0))])
        assert store.problem
        with pytest.raises(AgentError, match="unavailable"):
            store.acts()
    finally:
        postgres_server.start()
    store.add([row_of_judgment(said("after", at=4.0))])
    assert store.problem == ""
    assert texts(store) == ["before", "meanwhile", "and again", "after"]


@pytest.mark.slow
def test_feedback_store_starts_while_postgresql_server_is_down(
    postgres_server: Server, url: str, tmp_path: Path
) -> None:
    postgres_server.stop("fast")
    try:
        store = FeedbackStore(url, tmp_path / "feedback.spool")
        store.add([row_of_judgment(said("early"))])
    finally:
        postgres_server.start()
    assert store.replay() == 1
    assert texts(store) == ["early"]
    store.close()


def test_rejects_postgresql_database_of_newer_version(url: str, store: FeedbackStore, tmp_path: Path) -> None:
    with store._database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '99'"))
    with pytest.raises(AgentError, match="later version"):
        FeedbackStore(url, tmp_path / "other.spool")
