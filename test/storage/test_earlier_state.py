"""Tests that the state directory of an earlier version can be read, migrated and extended without data loss.

Commit 9824ca9 wrote the state directory.
"""

from __future__ import annotations

import asyncio
import json
import tarfile
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reachy_agent_ros.agent.mcp_tools.server_settings import load_servers
from reachy_agent_ros.agent.memory.documents import Documents
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.settings_file import load_tiers
from reachy_agent_ros.agent.permissions.approval_store import ApprovalOutcome, ApprovalStore
from reachy_agent_ros.agent.permissions.audit_check import check, records
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.policy import load_policy
from reachy_agent_ros.agent.personas.library import ActivePersona, PersonaLibrary
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.agent.sessions.session_store import SessionStore
from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn
from reachy_agent_ros.agent.traces.trace_store import SpanRecord, TraceRetention, TraceStore
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.paths import configuration_file
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT
from reachy_agent_ros.learning.demonstrations.demonstration import Method
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.feedback.rows import row_of_judgment
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.imitation.taught_skill import StoredRepertoire
from reachy_agent_ros.learning.score import Score, Sign
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.registry.version import VersionRecord
from reachy_agent_ros.tool_generation.validation.program import Program
from support.learning.feedback_cases import said

HERE = Path(__file__).parent / "earlier_state"
CONTENTS: dict[str, Any] = json.loads((HERE / "contents.json").read_text("utf-8"))


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the state directory. Sets the clock to the time at which it was written.

    Otherwise, approvals and plans would have expired.
    """
    offset = time.time() - CONTENTS["written"]
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() - offset)
    with tarfile.open(HERE / "state.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "state"


def listed(kind: str) -> Any:
    return CONTENTS[kind]


def plain(value: Any) -> Any:
    """Converts a value to JSON in the same format as in the list of contents."""

    def told(one: Any) -> Any:
        return sorted(map(str, one)) if isinstance(one, frozenset | set) else str(one)

    return json.loads(json.dumps(value, default=told))


def as_listed(found: Any, wanted: Any) -> Any:
    """Removes the fields that records have had only since commit 9824ca9."""
    if isinstance(wanted, dict):
        return {key: as_listed(found[key], one) for key, one in wanted.items()}
    if isinstance(wanted, list) and len(found) == len(wanted):
        return [as_listed(one, other) for one, other in zip(found, wanted, strict=True)]
    return found


def assert_same(found: Any, wanted: Any) -> None:
    assert as_listed(plain(found), wanted) == wanted


def conversations(state: Path) -> list[Any]:
    async def read() -> list[Any]:
        with closing(SessionStore(state / "sessions.sqlite3")) as store:
            assert store.damage == ""
            found = await store.sessions()
            return [{**asdict(one), "items": await store.dated_items(one.session_id)} for one in found]

    return asyncio.run(read())


def test_earlier_conversations_load_and_continue(state: Path) -> None:
    assert_same(conversations(state), listed("sessions"))
    with closing(SessionStore(state / "sessions.sqlite3")) as store:
        asyncio.run(store.append("kitchen", [{"role": "user", "content": "and in it?"}]))
    kitchen = next(one for one in conversations(state) if one["session_id"] == "kitchen")
    assert [item["content"] for item, _ in kitchen["items"]] == ["what is on the table?", "A cup.", "and in it?"]


@pytest.fixture(scope="module")
def embedder() -> SentenceEmbedder:
    return SentenceEmbedder()


@pytest.fixture
def memory(state: Path, embedder: SentenceEmbedder) -> Iterator[Memory]:
    with closing(Memory(state / "memory.db", embedder)) as memory:
        yield memory


@pytest.mark.slow
def test_earlier_memories_load_and_can_be_extended(state: Path, memory: Memory, embedder: SentenceEmbedder) -> None:
    wanted = listed("memory")
    assert_same([asdict(one) for one in memory.entries()], wanted["entries"])
    assert_same(
        {kind: {key: asdict(one) for key, one in memory.files(kind).items()} for kind in EntryKind}, wanted["files"]
    )
    with memory._entries.reading() as table:
        numbers, rows = table.vectors([entry["identity"] for entry in wanted["entries"]])
    vectors = {str(number): row[:4].tolist() for number, row in zip(numbers, rows, strict=True)}
    assert vectors == wanted["vectors"]
    assert memory.recall("what is the pet called?", limit=1)[0].entry.text == wanted["recalled"]
    memory.remember(MemoryEntry(EntryKind.FACT, "Momo", "cat"))
    memory.close()
    with closing(Memory(state / "memory.db", embedder)) as again:
        facts = {entry.key: entry.text for entry in again.entries((EntryKind.FACT,))}
        assert facts == {"cat": "Momo", "favourite colour": "green", "home town": "Zürich"}  # codespell:ignore
        assert again.damage == ""


@pytest.mark.slow
def test_earlier_notes_and_documents_load(state: Path, memory: Memory) -> None:
    notes = Notes(memory, state / "notes")
    changes = notes.synchronize()
    assert (changes.read, changes.forgotten, changes.refused) == ([], [], {})
    assert {name: notes.read(name) for name in listed("memory")["notes"]} == listed("memory")["notes"]
    assert [str(path) for path in Documents(memory).listed()] == list(listed("memory")["files"]["document"])
    notes.add("shopping", "Salt.")
    assert notes.read("shopping").endswith("two lemons.\n\nSalt.\n")


def test_earlier_feedback_loads_with_pending_records_and_can_be_extended(state: Path) -> None:
    wanted = listed("feedback")
    order = [table for table, _ in wanted["rows"]]
    rows = sorted([*wanted["rows"], wanted["spooled"]], key=lambda row: order.index(row[0]))

    def stored() -> list[Any]:
        with closing(FeedbackStore(state / "feedback.db", state / "feedback.spool")) as store:
            assert not store.spools
            found = [[row.table, row.values] for row in store.rows()]
            assert store.damage == ""
        return found

    assert_same(stored(), rows)
    with closing(FeedbackStore(state / "feedback.db")) as store:
        store.add([row_of_judgment(said("well done"))])
    assert len(stored()) == len(rows) + 1


def test_earlier_approvals_load_and_apply(state: Path) -> None:
    wanted = listed("permissions")
    path = state / "approvals.sqlite3"
    with closing(ApprovalStore(path)) as store:
        assert_same([asdict(one) for one in store.waiting()], wanted["waiting"])
        assert {one: store.outcome(uuid.UUID(one)) for one in wanted["outcomes"]} == wanted["outcomes"]
        store.redeem(uuid.UUID(wanted["calls"]["dance"]), "dance", '{"sure": true}')
        store.settle(uuid.UUID(wanted["calls"]["erase_notes"]), ApprovalOutcome.REFUSED, "Ada")
        asked = PendingApproval("dance", "{}", uuid.uuid4(), "robot", time.time(), time.time() + 60.0)
        store.add(asked)
        assert store.damage == ""
    with closing(ApprovalStore(path)) as again:
        assert [one.approval_id for one in again.waiting()] == [asked.approval_id]
        assert again.outcome(uuid.UUID(wanted["calls"]["dance"])) is ApprovalOutcome.USED
        assert again.decided_by(uuid.UUID(wanted["calls"]["erase_notes"])) == "Ada"


def test_earlier_permission_rules_load(state: Path) -> None:
    policy = load_policy(state / "permissions.yaml")
    assert (state / "permissions.yaml").read_text() == listed("permissions")["rules"]
    assert [(rule.tools, rule.because) for rule in policy.rules] == [
        (("stop", "speak"), ""),
        (("dance",), "it takes a while"),
    ]


def test_earlier_audit_log_loads_and_its_hash_chain_continues(state: Path) -> None:
    path = state / "audit.jsonl"
    with closing(AuditLog(path)) as log:
        log.append(AuditEntry("call", "allowed", "robot", "dance"))
    assert list(records(path))[:-1] == listed("audit")
    assert check(path).fault is None


def test_earlier_tokens_authenticate_and_new_token_can_be_created(state: Path) -> None:
    file = TokenFile(state / "tokens.json")
    assert_same([{**asdict(one), "role": one.role.name} for one in file.tokens()], without(listed("tokens"), "secret"))
    assert {one["secret"]: found.name for one in listed("tokens") if (found := file.find(one["secret"]))} == {
        one["secret"]: one["name"] for one in listed("tokens")
    }
    secret = file.make("tablet", Role.OBSERVER)
    again = TokenFile(state / "tokens.json")
    assert [one.name for one in again.tokens()] == [*(one["name"] for one in listed("tokens")), "tablet"]
    assert again.find(secret) is not None


def without(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key not in names} for row in rows]


def test_earlier_plans_load_and_continue(state: Path) -> None:
    path = state / "plans.sqlite3"
    with closing(PlanStore(path)) as store:
        trees = store.load()
        assert_same({name: asdict(tree) for name, tree in trees.items()}, listed("plans"))
        store.put("default", trees["default"].finished("2.1", "it is said", True, 3))
        store.put("hall", TaskTree("Ring", ()))
    with closing(PlanStore(path)) as again:
        assert again.load().keys() == {*listed("plans"), "hall"}
        assert again.damage == ""


def test_earlier_policies_load_and_continue_learning(state: Path) -> None:
    store = PolicyStore(state / "policies")
    wanted = {skill: one for skill, one in listed("policies").items() if skill != "acts"}
    found = {
        skill: {
            "standing": asdict(store.standing(skill)),
            "versions": [
                {
                    **asdict(one),
                    "weights": {
                        name: {"shape": array.shape, "sum": float(np.sum(array.astype(float)))}
                        for name, array in store.weights(one).items()
                    },
                }
                for one in store.list(skill)
            ],
        }
        for skill in store.skills()
    }
    assert found.keys() == wanted.keys()
    assert_same(found, wanted)
    learner = OnlineLearner(LOOK_AT_OBJECT, store, seed=1)
    act = learner.act({"target_pitch": 0.2, "target_yaw": -0.3})
    assert act.action == pytest.approx(listed("policies")["acts"]["look_at_object"])
    learned = learner.learn(act, Score(Sign.POSITIVE, 0.8, 0.9))
    assert (learned.learned, learned.version) == (True, wanted["look_at_object"]["standing"]["last"] + 1)
    nod = StoredRepertoire(state / "policies").find("nod")
    assert nod is not None
    assert np.ptp(nod.course.points) > 0.1


def test_earlier_demonstrations_load_and_new_one_can_be_recorded(state: Path) -> None:
    store = Demonstrations(state / "demonstrations")
    found = []
    for one in store.listed():
        trajectory = store.bag(one).trajectory(25.0)
        found.append(asdict(one) | {"samples": len(trajectory.times), "pitch": float(np.max(trajectory.values[:, 4]))})
    assert_same(found, listed("demonstrations"))
    store.record("bow", "bow like this", Method.HAND).finish()
    assert [one.skill for one in Demonstrations(state / "demonstrations").listed()] == ["bow", "nod", "nod"]


def test_earlier_generated_tools_load_and_run(state: Path) -> None:
    registry = Registry(state / "tools")
    assert_same(
        [
            {
                **asdict(one),
                "sources": {version.number: registry.source_of(one.name, version.number) for version in one.versions},
                "usage": {version.number: asdict(registry.usage(one.name, version.number)) for version in one.versions},
            }
            for one in registry.list()
        ],
        listed("tools"),
    )
    assert registry.source_to_run("double_it", 1) == listed("tools")[0]["sources"]["1"]
    registry.note_run("double_it", 1, None, 0.1)
    registry.approve("wave_twice", 2, "better", "Ada")
    registry.register(Program('def ring():\n    """Rings."""\n', "ring", "Rings."), VersionRecord("person"))
    again = Registry(state / "tools")
    assert [one.name for one in again.list()] == ["double_it", "old_tool", "ring", "wave_twice"]
    assert (again.usage("double_it", 1).runs, again.get("wave_twice").active) == (3, 2)


def test_earlier_phrases_load_and_new_one_can_be_learned(state: Path) -> None:
    def known() -> list[Any]:
        return [asdict(one) for one in LearnedPhrases(state / "phrases.db").all()]

    assert_same(known(), listed("phrases"))
    LearnedPhrases(state / "phrases.db").learn("hop", [Action("dance", {})])
    assert [one["phrase"] for one in known()] == ["do the monkey", "hop", "zeig mir den himmel"]


def test_earlier_traces_load_and_new_one_can_be_added(state: Path) -> None:
    store = TraceStore(state / "traces.db")
    assert_same([told(one) for one in store.latest(10)], listed("traces"))
    span = Span(0, SpanKind.TURN, "robot", 0.0, 1.0)
    store.add([SpanRecord(uuid.uuid4(), "default", time.time(), span)], {}, TraceRetention())
    assert len(store.latest(10)) == len(listed("traces")) + 1


def told(turn: TracedTurn) -> dict[str, Any]:
    def fault(span: Span) -> Any:
        return None if span.error is None else [int(span.error.code), span.error.message]

    spans = [{**vars(span), "kind": int(span.kind), "error": fault(span)} for span in turn.spans]
    return {
        "turn_id": turn.turn_id,
        "session_id": turn.session_id,
        "began": turn.began,
        "lost": turn.lost,
        "spans": spans,
    }


def test_earlier_user_files_load(state: Path) -> None:
    assert {name: (state / name).read_text() for name in listed("written_by_hand")} == listed("written_by_hand")
    persona = ActivePersona(
        PersonaLibrary(configuration_file("personas"), state / "personas"), state / "persona"
    ).current()
    assert (persona.name, persona.tools) == ("captain", ("speak", "look_at"))
    quick, _ = load_tiers(state / "models.yaml", Endpoint())
    assert [(one.url, one.model, one.timeout) for one in quick.endpoints] == [
        ("http://127.0.0.1:8080/v1", "tiny", 20.0)
    ]
    assert [(one.name, one.command, one.args) for one in load_servers(state / "mcp.yaml")] == [
        ("clock", "clock-server", ("--utc",))
    ]
