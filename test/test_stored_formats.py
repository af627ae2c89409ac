"""Tests that files of older versions can be read, and that files of newer versions are rejected unchanged."""

import asyncio
import json
import sqlite3
import uuid
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from agents import SQLiteSession

from reachy_agent_ros.agent.jobs.job_store import JobStore
from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry_table import FORMAT as MEMORY
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.permissions.approval_store import ApprovalStore
from reachy_agent_ros.agent.permissions.audit_check import check, records
from reachy_agent_ros.agent.permissions.audit_log import AuditLog, head_path
from reachy_agent_ros.agent.permissions.audit_record import GENESIS, AuditEntry, Head, canonical, sealed, write_head
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.schedule.schedule_store import ScheduleStore
from reachy_agent_ros.agent.sessions.session_store import SessionStore
from reachy_agent_ros.agent.traces.trace_store import TraceStore
from reachy_agent_ros.agent.undo.journal import UndoJournal
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.demonstrations.demonstration import from_json
from reachy_agent_ros.learning.feedback.rows import row_of_judgment
from reachy_agent_ros.learning.feedback.schema import TABLES
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.learned import LearnedPhrase, LearnedPhrases
from reachy_agent_ros.storage.checked_json import checked_json
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.registry.store import UsageBook
from reachy_agent_ros.tool_generation.registry.version import Usage
from support.learning.feedback_cases import said


class NoEmbedder:
    """Embedder that raises an error if it is called."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError


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


def later_decisions(path: Path) -> None:
    path.write_text(canonical(sealed({"format": 99, "number": 1, "previous": GENESIS})) + "\n")


def later_spool(path: Path) -> None:
    body = b'{"format": 99, "rows": {"judgements": []}}'
    path.write_bytes(b"%08x %s\n" % (zlib.crc32(body), body))


STORES = {
    "memory.db": (later_pragma, lambda path: Memory(path, NoEmbedder())),
    "sessions.sqlite3": (later_pragma, lambda path: asyncio.run(SessionStore(path).sessions())),
    "plans.sqlite3": (later_pragma, PlanStore),
    "undo.sqlite3": (later_pragma, UndoJournal),
    "schedule.sqlite3": (later_pragma, ScheduleStore),
    "jobs.sqlite3": (later_pragma, JobStore),
    "approvals.sqlite3": (later_pragma, ApprovalStore),
    "phrases.db": (later_pragma, lambda path: LearnedPhrases(path).all()),
    "traces.db": (later_pragma, lambda path: TraceStore(path).latest(1)),
    "feedback.db": (later_table, FeedbackStore),
    "feedback.spool": (later_spool, lambda path: FeedbackStore(path.with_suffix(".db"))),
    "audit.jsonl": (later_decisions, AuditLog),
    "tools/usage/wave.json": (later_json("usage"), lambda path: UsageBook(path.parent).of("wave")),
    "tokens.json": (later_tokens, lambda path: TokenFile(path).tokens()),
    "tools/manifests/wave.json": (later_json("tool"), lambda path: Registry(path.parents[1]).get("wave")),
    "policies/wave/standing.json": (later_json("standing"), lambda path: PolicyStore(path.parents[1]).standing("wave")),
    "demonstrations/wave/demonstration.json": (later_json("demonstration"), lambda path: from_json(path.read_text())),
}


@pytest.mark.parametrize("name", STORES)
def test_store_rejects_file_of_newer_version_and_leaves_it_unchanged(name: str, tmp_path: Path) -> None:
    write, open_store = STORES[name]
    path = tmp_path / name
    write(path)
    before = path.read_bytes()
    with pytest.raises(AgentError, match="later version of this program") as refused:
        open_store(path)
    assert refused.value.code is ErrorCode.STORAGE_FAILED
    assert path.read_bytes() == before


def test_trace_database_of_newer_version_is_not_changed(tmp_path: Path) -> None:
    later_pragma(tmp_path / "traces.db")
    with pytest.raises(AgentError, match="later version"), TraceStore(tmp_path / "traces.db")._connection(write=True):
        pass


def test_conversation_stored_before_branches_existed_is_continued(tmp_path: Path) -> None:
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


def test_pending_approval_is_restored_from_file_without_version(tmp_path: Path) -> None:
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
    for _ in range(2):  # before and after the migration
        store = ApprovalStore(path)
        assert [one.approval_id for one in store.waiting()] == [question]
        store.close()


def test_learned_phrases_are_read_from_file_without_version(tmp_path: Path) -> None:
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


def test_tokens_are_read_from_file_without_version(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    digest = "d" * 64
    path.write_text(json.dumps({"tokens": [{"name": "phone", "role": "observer", "digest": digest, "made_at": 1.0}]}))
    assert [token.digest for token in TokenFile(path).tokens()] == [digest]


def test_audit_log_whose_records_have_no_version_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    old = sealed({"event": "call", "number": 1, "previous": GENESIS, "time": 1.0})
    path.write_text(canonical(old) + "\n")
    with head_path(path).open("wb") as file:
        write_head(file.fileno(), Head(1, old["hash"]))
    log = AuditLog(path)
    log.append(AuditEntry("call", "allowed"))
    log.close()
    assert [record.get("format", 0) for record in records(path)] == [0, 1]
    assert check(path).fault is None


def test_tool_usage_without_checksum_is_read(tmp_path: Path) -> None:
    book = UsageBook(tmp_path)
    (tmp_path / "wave.json").write_text('{"2": {"runs": 3, "successes": 2, "total_time": 1.5}}')
    assert book.of("wave") == {2: Usage(3, 2, 1.5)}
    book.write("wave", book.of("wave"))
    assert book.of("wave") == {2: Usage(3, 2, 1.5)}


def test_spooled_judgments_are_stored_from_batch_without_version(tmp_path: Path) -> None:
    row = row_of_judgment(said("well done"))
    body = json.dumps([[row.table, row.values]]).encode()
    (tmp_path / "feedback.spool").write_bytes(b"%08x %s\n" % (zlib.crc32(body), body))
    store = FeedbackStore(tmp_path / "feedback.db")
    assert [found.values["text"] for found in store.rows()] == ["well done"]
    store.close()


def test_memory_entries_without_checksum_are_migrated(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    sql(path, f"{MEMORY.schema} PRAGMA user_version=1;")
    sql(path, "INSERT INTO entries VALUES (1, 'fact', 'cat', 'Mimi', 'told', 1.5, '[]');")
    Memory(path, NoEmbedder()).close()
    sql(path, "UPDATE entries SET text = 'Momo' WHERE id = 1;")
    memory = Memory(path, NoEmbedder())
    assert memory.entries() == []
    assert "entry 1" in memory.damage
    memory.close()


def test_migration_adds_checksum_to_feedback_rows(tmp_path: Path) -> None:
    path = tmp_path / "feedback.db"
    store = FeedbackStore(path)
    store.add([row_of_judgment(said("well done"))])
    store.close()
    for table in TABLES:
        sql(path, f"ALTER TABLE {table.name} DROP COLUMN seal;")
    sql(path, "UPDATE schema_version SET version = 1; DROP TABLE alembic_version;")
    store = FeedbackStore(path)
    assert [found.values["text"] for found in store.rows()] == ["well done"]
    store.close()
    sql(path, "UPDATE judgements SET text = 'badly done';")
    store = FeedbackStore(path)
    assert list(store.rows()) == []
    assert "judgements" in store.damage
    store.close()
