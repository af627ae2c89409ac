import asyncio
import sqlite3
import stat
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import SQLiteSession
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.sessions.session import turns_of
from reachy_agent_ros.agent.sessions.session_store import HISTORY_ITEMS, SessionStore
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage import database
from support.flipped_bits import flip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "sessions.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[SessionStore]:
    store = SessionStore(path)
    yield store
    store.close()


def turn(number: int) -> list[Any]:
    call = {"type": "function_call", "name": "dance", "arguments": "{}", "call_id": str(number)}
    result = {"type": "function_call_output", "call_id": str(number), "output": "{}"}
    reply = [{"type": "output_text", "text": f"Danced {number}."}]
    return [
        {"role": "user", "content": f"dance {number}"},
        call,
        result,
        {"type": "message", "role": "assistant", "content": reply},
    ]


def add(store: SessionStore, session_id: str, turns: int) -> None:
    for number in range(1, turns + 1):
        asyncio.run(store.append(session_id, turn(number)))


def pragma(store: SessionStore, statement: str) -> Any:
    with store._opened().reading() as connection:
        return connection.execute(f"PRAGMA {statement}").fetchone()


def test_added_items_are_visible_to_other_session_stores(store: SessionStore, path: Path) -> None:
    asyncio.run(store.append("one", [{"role": "user", "content": "hello"}]))
    other = SessionStore(path)
    assert asyncio.run(other.history("one")) == [{"role": "user", "content": "hello"}]
    other.close()


def test_agents_sdk_can_read_and_write_session_file(store: SessionStore, path: Path) -> None:
    add(store, "one", 1)
    theirs = SQLiteSession("one", path)
    assert asyncio.run(theirs.get_items()) == turn(1)
    asyncio.run(theirs.add_items(turn(2)))
    theirs.close()
    assert asyncio.run(store.history("one")) == turn(1) + turn(2)
    assert asyncio.run(store.sessions())[0].turns == 2


def test_accepts_session_file_created_by_agents_sdk(store: SessionStore, path: Path) -> None:
    path.parent.mkdir()
    theirs = SQLiteSession("one", path)
    asyncio.run(theirs.add_items(turn(1)))
    theirs.close()
    asyncio.run(store.branch("one", "two"))
    assert asyncio.run(store.items("two")) == turn(1)


def test_skips_invalid_item_of_conversation(store: SessionStore, path: Path) -> None:
    add(store, "one", 1)
    with sqlite3.connect(path) as other:
        for data in ("{half", "[1]", '"user"', '{"role": ["user"]}'):
            other.execute("INSERT INTO agent_messages (session_id, message_data) VALUES ('one', ?)", (data,))
    other.close()
    add(store, "one", 1)
    assert asyncio.run(store.sessions())[0].turns == 2
    assert asyncio.run(store.items("one")) == [*turn(1), {"role": ["user"]}, *turn(1)]


def test_truncated_history_starts_with_user_message(store: SessionStore) -> None:
    add(store, "one", HISTORY_ITEMS)
    asyncio.run(store.append("one", turn(1)[2:]))
    history = asyncio.run(store.history("one"))
    assert history[0].get("role") == "user"
    assert HISTORY_ITEMS - 4 < len(history) <= HISTORY_ITEMS


def test_session_database_uses_full_synchronous_mode(store: SessionStore) -> None:
    assert (pragma(store, "synchronous"), pragma(store, "journal_mode")) == ((2,), ("wal",))


def test_list_of_conversations_contains_times_turns_and_first_sentence(store: SessionStore) -> None:
    asyncio.run(store.append("one", [{"role": "user", "content": "look\nleft \x1b[31m"}]))
    add(store, "two", 2)
    add(store, "one", 1)
    first, second = asyncio.run(store.sessions())
    assert (first.session_id, first.turns, first.beginning) == ("one", 2, "look left [31m")
    assert (second.session_id, second.turns, second.beginning) == ("two", 2, "dance 1")
    assert first.changed >= second.changed >= second.began > 1.7e9


def test_unknown_conversation_raises_not_found(store: SessionStore) -> None:
    assert asyncio.run(store.history("none")) == []
    for request in (store.items("none"), store.branch("none", "new"), store.delete("none")):
        with pytest.raises(AgentError) as error:
            asyncio.run(request)
        assert error.value.code is ErrorCode.NOT_FOUND
    assert asyncio.run(store.sessions()) == []


@pytest.mark.parametrize(("turns", "copied"), [(0, 3), (1, 1), (2, 2), (3, 3)])
def test_branch_copies_first_turns_and_is_independent(store: SessionStore, turns: int, copied: int) -> None:
    add(store, "one", 3)
    asyncio.run(store.branch("one", "two", turns))
    assert asyncio.run(store.items("two")) == [item for number in range(1, copied + 1) for item in turn(number)]
    asyncio.run(store.append("two", turn(9)))
    branch, origin = asyncio.run(store.sessions())
    assert (branch.turns, branch.branched_from, branch.beginning) == (copied + 1, "one", "dance 1")
    assert branch.began == origin.began
    assert asyncio.run(store.items("one")) == turn(1) + turn(2) + turn(3)


@pytest.mark.parametrize("turns", [-1, 4])
def test_rejects_branch_with_more_turns_than_exist(store: SessionStore, turns: int) -> None:
    add(store, "one", 3)
    with pytest.raises(AgentError, match="3 turns") as error:
        asyncio.run(store.branch("one", "two", turns))
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert [session.session_id for session in asyncio.run(store.sessions())] == ["one"]


def test_rejects_branch_with_name_of_existing_conversation(store: SessionStore) -> None:
    add(store, "one", 1)
    add(store, "two", 2)
    for name in ("one", "two"):
        with pytest.raises(AgentError, match="already") as error:
            asyncio.run(store.branch("one", name))
        assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert len(asyncio.run(store.items("two"))) == 8


@pytest.mark.parametrize("name", ["", " ", " one", "one ", "a\nb", "a\x1b[2J", "x" * 101, "\ud800"])
def test_rejects_conversation_name_with_unprintable_characters(store: SessionStore, name: str) -> None:
    add(store, "one", 1)
    for request in (store.append(name, turn(1)), store.branch("one", name)):
        with pytest.raises(AgentError) as error:
            asyncio.run(request)
        assert error.value.code is ErrorCode.INVALID_ARGUMENTS
        assert error.value.message.isprintable()


@pytest.mark.slow
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.data())
def test_each_nested_branch_is_a_prefix_of_its_parent_conversation(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], data: st.DataObject
) -> None:
    async def branch_again_and_again() -> None:
        await store.append("0", turn(1) + turn(2) + turn(3))
        for number, _ in enumerate(lengths):
            origin = await store.items(str(number))
            count = data.draw(st.integers(1, len(turns_of(origin))))
            await store.branch(str(number), str(number + 1), count)
            branch = await store.items(str(number + 1))
            assert branch == origin[: len(branch)]
            assert len(turns_of(branch)) == count
            await store.append(str(number), turn(7))

    store = SessionStore(tmp_path_factory.mktemp("sessions") / "sessions.sqlite3")
    asyncio.run(branch_again_and_again())
    store.close()


def test_deleted_conversation_leaves_no_trace_in_files(store: SessionStore, path: Path) -> None:
    asyncio.run(store.append("secret plan", [{"role": "user", "content": "the treasure lies under the oak " * 300}]))
    add(store, "one", 1)
    asyncio.run(store.branch("secret plan", "copy"))
    asyncio.run(store.delete("copy"))
    assert asyncio.run(store.delete("secret plan")) is True
    left = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"treasure" not in left
    assert b"secret plan" not in left
    assert b"dance 1" in left


def test_branch_survives_deletion_of_original(store: SessionStore) -> None:
    add(store, "one", 1)
    asyncio.run(store.branch("one", "two"))
    before = asyncio.run(store.sessions())[0]
    asyncio.run(store.delete("one"))
    assert asyncio.run(store.sessions()) == [replace(before, branched_from="")]
    assert asyncio.run(store.items("two")) == turn(1)


def test_erasure_of_conversation_is_not_confirmed_while_being_read(store: SessionStore, path: Path) -> None:
    add(store, "one", 1)
    pragma(store, "busy_timeout=10")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM agent_messages").fetchall()
    assert asyncio.run(store.delete("one")) is False
    assert asyncio.run(store.sessions()) == []
    other.execute("COMMIT")
    other.close()


@pytest.mark.parametrize("content", [b"This is no database at all. " * 300, b"SQLite format 3\0" + b"\7" * 5000])
def test_sets_aside_damaged_session_file_and_continues(store: SessionStore, path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    add(store, "one", 1)
    assert store.set_aside is not None
    assert store.set_aside.read_bytes() == content
    assert asyncio.run(store.history("one")) == turn(1)


def test_locked_session_file_raises_error_and_is_unchanged(
    store: SessionStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    add(store, "one", 1)
    pragma(store, "busy_timeout=10")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for request in (store.append("one", turn(2)), store.branch("one", "two"), store.delete("one")):
        with pytest.raises(AgentError, match="conversations cannot be used: another process is writing") as error:
            asyncio.run(request)
        assert error.value.code is ErrorCode.STORAGE_FAILED
    assert asyncio.run(store.items("one")) == turn(1)
    other.execute("ROLLBACK")
    other.close()
    asyncio.run(store.append("one", turn(2)))


def test_branching_on_full_disk_raises_error_and_copies_no_items(store: SessionStore) -> None:
    add(store, "one", 20)
    (pages,) = pragma(store, "page_count")
    pragma(store, f"max_page_count={pages}")
    with pytest.raises(AgentError, match="the disk is full"):
        asyncio.run(store.branch("one", "two"))
    assert [session.session_id for session in asyncio.run(store.sessions())] == ["one"]


def test_raises_error_if_session_folder_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(AgentError) as error:
        asyncio.run(SessionStore(tmp_path / "file" / "sessions.sqlite3").history("one"))
    assert error.value.code is ErrorCode.STORAGE_FAILED


def test_session_file_is_readable_by_owner_only(store: SessionStore, path: Path) -> None:
    add(store, "one", 1)
    for file in path.parent.glob(f"{path.name}*"):
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file


def test_conversation_items_have_storage_time(store: SessionStore) -> None:
    began = int(time.time())
    asyncio.run(store.append("s", turn(1)))
    dated = asyncio.run(store.dated_items("s"))
    assert [item for item, _ in dated] == turn(1)
    assert all(began <= kept <= time.time() for _, kept in dated)


@pytest.mark.parametrize("damaged", ["dance 2", "Danced 2."])
def test_skips_turn_with_flipped_bit_and_reports_damage(store: SessionStore, path: Path, damaged: str) -> None:
    add(store, "one", 3)
    store.close()
    flip(path, damaged)
    again = SessionStore(path)
    assert asyncio.run(again.history("one")) == turn(1) + turn(3)
    assert "of one" in again.damage
    asyncio.run(again.branch("one", "two"))
    assert asyncio.run(again.items("two"))[:4] == turn(1)
    again.close()


def test_list_of_conversations_omits_damaged_first_sentence(store: SessionStore, path: Path) -> None:
    add(store, "one", 1)
    store.close()
    flip(path, "dance 1")
    again = SessionStore(path)
    assert [session.beginning for session in asyncio.run(again.sessions())] == [""]
    again.close()


def test_append_waits_until_another_process_has_finished_writing(store: SessionStore, path: Path) -> None:
    add(store, "one", 1)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")

    async def meanwhile() -> None:
        pragma(store, "busy_timeout=10")
        waiting = asyncio.create_task(store.append("one", turn(2)))
        for _ in range(5):
            assert await store.items("one") == turn(1)  # reading does not wait for the lock
        assert not waiting.done()
        other.execute("ROLLBACK")
        await waiting

    asyncio.run(meanwhile())
    other.close()
    assert asyncio.run(store.items("one")) == turn(1) + turn(2)
