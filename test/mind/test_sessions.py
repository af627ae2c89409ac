import asyncio
import sqlite3
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.durable_session import DurableSession
from reachy_agent_ros.mind.sessions import HISTORY_ITEMS, SessionStore


def test_every_connection_waits_for_the_disk(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "sessions.sqlite3")
    connection.execute("PRAGMA synchronous=OFF")
    DurableSession._configure_connection(connection)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_what_was_added_is_read_by_another_store(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "sessions.sqlite3"
    asyncio.run(SessionStore(path).append("one", [{"role": "user", "content": "hello"}]))
    assert asyncio.run(SessionStore(path).history("one")) == [{"role": "user", "content": "hello"}]


def test_a_long_history_is_cut_at_a_message_of_the_person(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "sessions.sqlite3")
    for number in range(HISTORY_ITEMS):
        call = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": str(number)}
        result = {"type": "function_call_output", "call_id": str(number), "output": "{}"}
        asyncio.run(store.append("one", [{"role": "user", "content": str(number)}, call, result]))
    history = asyncio.run(store.history("one"))
    assert history[0].get("role") == "user"
    assert 0 < len(history) <= HISTORY_ITEMS


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(AgentError) as error:
        asyncio.run(SessionStore(tmp_path / "file" / "sessions.sqlite3").history("one"))
    assert error.value.code is ErrorCode.STORAGE_FAILED
