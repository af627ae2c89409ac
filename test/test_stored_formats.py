"""What an earlier version of the program stored is read; what a later one stored is refused, and left as it is."""

import asyncio
import json
import sqlite3
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from agents import SQLiteSession

from reachy_agent_ros.core.checked_json import checked_json
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.learning.correction.policy_files import PolicyFiles
from reachy_agent_ros.learning.demonstrations.demonstration import from_json
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.mind.memory.memory import Memory
from reachy_agent_ros.mind.permissions.approval_store import ApprovalStore
from reachy_agent_ros.mind.planning.plan_store import PlanStore
from reachy_agent_ros.mind.reflex.decision import Action
from reachy_agent_ros.mind.reflex.learned import LearnedPhrase, LearnedPhrases
from reachy_agent_ros.mind.sessions.session_store import SessionStore
from reachy_agent_ros.mind.traces.trace_store import TraceStore
from reachy_agent_ros.toolsmith.registry.registry import Registry


def sql(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def later_pragma(path: Path) -> None:
    sql(path, "PRAGMA journal_mode=WAL; CREATE TABLE what_is_to_come (x); PRAGMA user_version=99;")


def later_table(path: Path) -> None:
    table = "CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES (99);"
    sql(path, f"PRAGMA journal_mode=WAL; {table}")


def later_json(name: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(checked_json(name, {}, 99))

    return write


def later_tokens(path: Path) -> None:
    path.write_text('{"format": 99, "people": {}}')


STORES = {
    "memory.db": (later_pragma, lambda path: Memory(path, None)),
    "sessions.sqlite3": (later_pragma, lambda path: asyncio.run(SessionStore(path).sessions())),
    "plans.sqlite3": (later_pragma, PlanStore),
    "approvals.sqlite3": (later_pragma, ApprovalStore),
    "phrases.db": (later_pragma, lambda path: LearnedPhrases(path).all()),
    "traces.db": (later_pragma, lambda path: TraceStore(path).latest(1)),
    "feedback.db": (later_table, FeedbackStore),
    "tokens.json": (later_tokens, lambda path: TokenFile(path).tokens()),
    "tools/manifests/wave.json": (later_json("tool"), lambda path: Registry(path.parents[1]).get("wave")),
    "policies/wave/standing.json": (later_json("standing"), lambda path: PolicyFiles(path.parents[1]).standing("wave")),
    "demonstrations/wave/demonstration.json": (later_json("demonstration"), lambda path: from_json(path.read_text())),
}


@pytest.mark.parametrize("name", STORES)
def test_every_store_refuses_what_a_later_version_wrote_and_leaves_it_alone(name: str, tmp_path: Path) -> None:
    write, open_store = STORES[name]
    path = tmp_path / name
    write(path)
    before = path.read_bytes()
    with pytest.raises(AgentError, match="later version of this program") as refused:
        open_store(path)
    assert refused.value.code is ErrorCode.STORAGE_FAILED
    assert path.read_bytes() == before


def test_a_trace_of_a_later_version_is_not_added_to(tmp_path: Path) -> None:
    later_pragma(tmp_path / "traces.db")
    with pytest.raises(AgentError, match="later version"), TraceStore(tmp_path / "traces.db")._connection(write=True):
        pass


def test_conversations_of_the_first_version_which_had_no_branches_go_on(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"

    async def said() -> None:
        await SQLiteSession("default", path).add_items([{"role": "user", "content": "look left"}])
        store = SessionStore(path)
        await store.append("default", [{"role": "user", "content": "look right"}])
        assert [item["content"] for item in await store.items("default")] == ["look left", "look right"]
        await store.branch("default", "other", 1)
        assert {one.session_id for one in await store.sessions()} == {"default", "other"}
        store.close()

    asyncio.run(said())


def test_a_question_from_before_files_were_numbered_still_waits(tmp_path: Path) -> None:
    path = tmp_path / "approvals.sqlite3"
    turn, question = uuid.uuid4(), uuid.uuid4()
    sql(
        path,
        f"""CREATE TABLE approvals (
            tool TEXT NOT NULL, arguments_json TEXT NOT NULL, turn_id TEXT NOT NULL, requester TEXT NOT NULL,
            requested REAL NOT NULL, expires REAL NOT NULL, session_id TEXT NOT NULL, reason TEXT NOT NULL,
            rule TEXT NOT NULL, run_state TEXT NOT NULL, approval_id TEXT NOT NULL UNIQUE, outcome TEXT NOT NULL);
        INSERT INTO approvals VALUES
            ('erase', '{{}}', '{turn}', 'robot', 1e11, 1e12, 'default', '', '', '', '{question}', 'waiting');""",
    )
    for _ in range(2):  # as it was, and as it has become
        store = ApprovalStore(path)
        assert [one.approval_id for one in store.waiting()] == [question]
        store.close()


def test_phrases_from_before_files_were_numbered_are_known(tmp_path: Path) -> None:
    path = tmp_path / "phrases.db"
    sql(
        path,
        """CREATE TABLE phrases (phrase TEXT PRIMARY KEY, calls TEXT NOT NULL);
        INSERT INTO phrases VALUES ('say hi', '[["gesture", {"gesture": "wave"}]]');""",
    )
    known = LearnedPhrase("say hi", (Action("gesture", {"gesture": "wave"}),))
    assert LearnedPhrases(path).all() == [known]
    LearnedPhrases(path).learn("dance", [Action("dance", {})])
    assert known in LearnedPhrases(path).all()


def test_tokens_from_before_files_were_numbered_let_in(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    digest = "d" * 64
    path.write_text(json.dumps({"tokens": [{"name": "phone", "role": "observer", "digest": digest, "made_at": 1.0}]}))
    assert [token.digest for token in TokenFile(path).tokens()] == [digest]
