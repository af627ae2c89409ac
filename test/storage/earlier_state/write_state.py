"""Writes a state directory and a list of its contents. Runs with the code of commit 9824ca9.

See README.md.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import tarfile
import time
import uuid
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from shown import nod, recorded

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.role import Role
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.learning.axis import Axis
from reachy_agent_ros.learning.correction.learner import Learner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills.look_at_object import LOOK_AT_OBJECT
from reachy_agent_ros.learning.correction.skills.make_gesture import MAKE_GESTURE
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.feedback.reward import Credit, Reward
from reachy_agent_ros.learning.feedback.rows import row_of_judgement, rows_of_act, rows_of_reward
from reachy_agent_ros.learning.feedback.spool import Spool
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.imitation.teaching import Teaching
from reachy_agent_ros.learning.judgement import Judgement, Source
from reachy_agent_ros.learning.score import Score, Sign
from reachy_agent_ros.learning.training.configuration import Algorithm
from reachy_agent_ros.mind.embedding import SentenceEmbedder
from reachy_agent_ros.mind.memory.documents import Documents
from reachy_agent_ros.mind.memory.entry import Entry, Kind
from reachy_agent_ros.mind.memory.memory import Memory
from reachy_agent_ros.mind.memory.notes import Notes
from reachy_agent_ros.mind.permissions.approval_store import ApprovalStore, Outcome
from reachy_agent_ros.mind.permissions.audit_check import records
from reachy_agent_ros.mind.permissions.audit_log import AuditLog
from reachy_agent_ros.mind.permissions.audit_record import AuditEntry
from reachy_agent_ros.mind.permissions.pending_approval import PendingApproval
from reachy_agent_ros.mind.planning.plan_store import PlanStore
from reachy_agent_ros.mind.planning.step import Step, StepState
from reachy_agent_ros.mind.planning.task_tree import TaskTree
from reachy_agent_ros.mind.reflex.decision import Action
from reachy_agent_ros.mind.reflex.learned import LearnedPhrases
from reachy_agent_ros.mind.sessions.session_store import SessionStore
from reachy_agent_ros.mind.traces.trace import Span, SpanKind
from reachy_agent_ros.mind.traces.trace_store import Retention, SpanRecord, TraceStore
from reachy_agent_ros.toolsmith.program import Need, Parameter, Program
from reachy_agent_ros.toolsmith.registry.record import CaseRecord, Record
from reachy_agent_ros.toolsmith.registry.registry import Registry
from reachy_agent_ros.toolsmith.verdict import Stage, Verdict

NOW = time.time()
TURN, ASKING_TURN = uuid.UUID(int=0x10), uuid.UUID(int=0x11)
DAY = 86400.0


def sessions(state: Path) -> Any:
    call = {"type": "function_call", "call_id": "c1", "name": "move_head", "arguments": '{"yaw_deg": 30}'}
    result = {"type": "function_call_output", "call_id": "c1", "output": '{"yaw_deg": 29.8}'}
    said = {
        "default": [
            {"role": "user", "content": "look left"},
            call,
            result,
            {"role": "assistant", "content": "I looked to the left."},
            {"role": "user", "content": "Wie heißt meine Katze? 🐈"},
            {"role": "assistant", "content": "Sie heißt Mimi."},
        ],
        "kitchen": [{"role": "user", "content": "what is on the table?"}, {"role": "assistant", "content": "A cup."}],
    }
    store = SessionStore(state / "sessions.sqlite3")

    async def write() -> Any:
        for name, items in said.items():
            await store.append(name, items)
        await store.branch("default", "default-2", 1)
        await store.append("default-2", [{"role": "user", "content": "now look right"}])
        found = await store.sessions()
        return [{**asdict(one), "items": await store.dated_items(one.session_id)} for one in found]

    with closing(store):
        return asyncio.run(write())


def memory(state: Path) -> Any:
    manual = state.parent / "manual.md"
    manual.write_text(
        "# Vacuum cleaner\n\nEmpty the box after every use.\n\n# Warranty\n\nTwo years from the purchase.\n"
    )
    with closing(Memory(state / "memory.db", SentenceEmbedder())) as store:
        store.remember(
            Entry(Kind.FACT, "Mimi", "cat", "told by Ada", NOW - 90 * DAY),
            Entry(Kind.FACT, "green", "favourite colour", "told by Ada", NOW - 60 * DAY),
            Entry(Kind.FACT, "Zürich", "home town", "told by Bob", NOW - 30 * DAY),
            Entry(
                Kind.EPISODE, "Ada asked where her keys were; they lay on the shelf.", "", "", NOW - 5 * DAY, ("Ada",)
            ),
            Entry(Kind.EPISODE, "The robot danced for Bob and Ada.", "", "", NOW - 4 * DAY, ("Ada", "Bob")),
        )
        notes = Notes(store, state / "notes")
        notes.write("shopping", "# Shopping\n\nMilk, bread and two lemons.")
        notes.write("people/maria", "Maria plays the cello on Thursdays.")
        Documents(store).add(manual)
        with store._entries.reading() as table:
            numbers, rows = table.vectors([one.identity or 0 for one in store.entries()])
        return {
            "entries": [asdict(one) for one in store.entries()],
            "files": {kind: {key: asdict(one) for key, one in store.files(kind).items()} for kind in Kind},
            "notes": {name: notes.read(name) for name in ("shopping", "people/maria")},
            "vectors": {number: row[:4].tolist() for number, row in zip(numbers, rows, strict=True)},
            "recalled": store.recall("what is the pet called?", limit=1)[0].entry.text,
        }


def feedback(state: Path) -> Any:
    nodding = Act(
        uuid.UUID(int=1), TURN, "make_gesture", {"distance": 1.2}, {"amplitude": 1.1, "tempo": 0.9}, 0.8, "2",
        NOW - 600, NOW - 598.5, {"peak_speed": 1.4},
    )  # fmt: skip
    looking = Act(
        uuid.UUID(int=2), TURN, "look_at_object", {"target_pitch": 0.2, "target_yaw": -0.3},
        {"pitch": 0.2, "yaw": -0.3}, 1.0, "1", NOW - 500, float("inf"),
    )  # fmt: skip
    fast = Judgement(uuid.UUID(int=3), Source.SPEECH, "that was too fast", NOW - 595, TURN, None, "Ada")
    praise = Judgement(uuid.UUID(int=4), Source.RATING, "", NOW - 490, None, 0.8, "Bob")
    waiting = Judgement(uuid.UUID(int=5), Source.TEXT, "well done, Reachy", NOW - 10, None, None, "")
    rewards = [
        Reward(fast.feedback_id, fast.given, Score(Sign.NEGATIVE, -0.4, 0.93, (Axis.SLOWER,)), (Credit(nodding, 1.0),)),
        Reward(
            praise.feedback_id,
            praise.given,
            Score(Sign.POSITIVE, 0.8, 1.0),
            (Credit(looking, 0.7), Credit(nodding, 0.3)),
        ),
    ]
    with closing(FeedbackStore(state / "feedback.db", state / "feedback.spool")) as store:
        for act in (nodding, looking):
            store.add(rows_of_act(act))
        store.add([row_of_judgement(fast), *rows_of_reward(rewards[0])])
        store.add([row_of_judgement(praise), *rows_of_reward(rewards[1])])
        rows = [[row.table, row.values] for row in store.rows()]
    late = row_of_judgement(waiting)
    Spool(state / "feedback.spool").append([late])
    return {"rows": rows, "spooled": [late.table, late.values]}


def permissions(state: Path) -> Any:
    rules = "default: confirm\nrules:\n  - tools: [stop, speak]\n    tier: autonomous\n"
    rules += "  - tools: [dance]\n    tier: notify\n    because: it takes a while\n"
    (state / "permissions.yaml").write_text(rules)
    endings = {
        "erase_notes": Outcome.WAITING,
        "dance": Outcome.APPROVED,
        "take_photo": Outcome.USED,
        "send_mail": Outcome.REFUSED,
        "web_search": Outcome.EXPIRED,
        "set_volume": Outcome.WITHDRAWN,
    }
    asked = {
        tool: PendingApproval(
            tool, '{"sure": true}', ASKING_TURN, "robot", NOW - 60, NOW + 3600, "default", f"{tool} needs a yes",
            "it cannot be undone", '{"step": 2}', uuid.UUID(int=0x100 + place),
        )
        for place, tool in enumerate(endings)
    }  # fmt: skip
    with closing(ApprovalStore(state / "approvals.sqlite3")) as store:
        for tool, outcome in endings.items():
            store.add(asked[tool])
            if outcome is Outcome.USED:
                store.settle(asked[tool].approval_id, Outcome.APPROVED)
                store.redeem(asked[tool].approval_id, tool, '{"sure": true}')
            elif outcome is not Outcome.WAITING:
                store.settle(asked[tool].approval_id, outcome)
        waiting = [asdict(one) for one in store.waiting()]
    outcomes = {str(asked[tool].approval_id): str(outcome) for tool, outcome in endings.items()}
    return {
        "rules": rules,
        "waiting": waiting,
        "outcomes": outcomes,
        "calls": {t: str(a.approval_id) for t, a in asked.items()},
    }


def audit(state: Path) -> Any:
    question, grant, turn = str(uuid.UUID(int=0x101)), str(uuid.UUID(int=0x200)), str(ASKING_TURN)
    with closing(AuditLog(state / "audit.jsonl")) as log:
        log.append(
            AuditEntry("call", "asked", "robot", "dance", "{}", "confirm", "default", "", question, "", "default", turn)
        )
        log.append(AuditEntry("answer", "approved", "Ada", "dance", "{}", approval=question, session_id="default"))
        log.append(AuditEntry("grant", "granted", "Ada", "move_*", grant=grant, reason="for an hour"))
        log.append(AuditEntry("call", "allowed", "robot", "move_head", '{"yaw_deg": 30}', "confirm", grant=grant))
        log.append(AuditEntry("revoke", "revoked", "Ada", "move_*", grant=grant))
        log.append(
            AuditEntry("call", "refused", "robot", "send_mail", "{}", "forbidden", reason="die Regel verbietet es")
        )
    return list(records(state / "audit.jsonl"))


def tokens(state: Path) -> Any:
    secrets.token_urlsafe = lambda _size: next(made_up)  # type: ignore[assignment,misc]
    made_up = iter(("made-up-of-the-phone", "made-up-of-the-desk", "made-up-of-the-kitchen"))
    file = TokenFile(state / "tokens.json")
    roles = {"phone": Role.OBSERVER, "desk": Role.ADMINISTRATOR, "kitchen": Role.OPERATOR}
    made = {name: file.make(name, role) for name, role in roles.items()}
    return [{**asdict(one), "role": one.role.name, "secret": made[one.name]} for one in file.tokens()]


def plans(state: Path) -> Any:
    trees = {
        "default": TaskTree(
            "Tidy the desk",
            (
                Step(1, "Look at the desk", "the cup is seen", state=StepState.DONE, outcome="a cup and two pens"),
                Step(2, "Say what lies there", "it is said", steps=(
                    Step(3, "Say the cup", "it is said", False, StepState.RUNNING),
                    Step(4, "Say the pens", "it is said", False),
                )),
            ), 5, 4, 0, True, ("find_object",),
        ),
        "kitchen": TaskTree("Find the keys", (Step(1, "Ask Ada", "she answers", state=StepState.BLOCKED, failures=3),), 2, 1, 3),
    }  # fmt: skip
    with closing(PlanStore(state / "plans.sqlite3")) as store:
        for name, tree in trees.items():
            store.put(name, tree)
        return {name: asdict(tree) for name, tree in store.load().items()}


def policies(state: Path) -> Any:
    store = PolicyStore(state / "policies")
    target = {"target_pitch": 0.2, "target_yaw": -0.3}
    looking = Learner(LOOK_AT_OBJECT, store, seed=1)
    for score in (Score(Sign.NEGATIVE, -0.3, 0.95, (Axis.PITCH_UP,)), Score(Sign.POSITIVE, 0.8, 0.9)):
        looking.learn(looking.act(target), score)
    gesture = dict.fromkeys(MAKE_GESTURE.context, 0.5)
    waving = Learner(MAKE_GESTURE, store, seed=2)
    for axis in (Axis.SLOWER, Axis.SMALLER):
        waving.learn(waving.act(gesture), Score(Sign.NEGATIVE, -0.4, 0.95, (axis,)))
    store.pin(MAKE_GESTURE.name, 2)
    Teaching(state).train("nod", Algorithm.CLONING, 60, 1)
    return {
        skill: {
            "standing": asdict(store.standing(skill)),
            "versions": [
                {**asdict(one), "weights": {name: _array(array) for name, array in store.weights(one).items()}}
                for one in store.list(skill)
            ],
        }
        for skill in store.skills()
    } | {"acts": {LOOK_AT_OBJECT.name: looking.act(target).action, MAKE_GESTURE.name: waving.act(gesture).action}}


def _array(array: np.ndarray) -> Any:
    return {"shape": list(array.shape), "sum": float(np.sum(array.astype(float)))}


def demonstrations(state: Path) -> Any:
    store = Demonstrations(state / "demonstrations")
    for degrees in (12.0, 15.0):
        recorded(store, nod(2.0, degrees, 25.0), degrees)
    found = []
    for one in store.listed():
        trajectory = store.bag(one).trajectory(25.0)
        found.append(asdict(one) | {"samples": len(trajectory.times), "pitch": float(np.max(trajectory.values[:, 4]))})
    return found


def tools(state: Path) -> Any:
    proven = (Verdict(Stage.TEXT, True), Verdict(Stage.SYNTAX, True), Verdict(Stage.SANDBOX, True, "1 case", 0.5))
    case = CaseRecord('{"number": 2.0}', '{"product": 4.0}', result='{"product": 4.0}', duration=0.1)
    registry = Registry(state / "tools")

    def register(name: str, factor: int, needs_review: bool = False, needs: frozenset[Need] = frozenset()) -> int:
        source = f'def {name}(number: float) -> dict:\n    """Multiplies.\n\n    Args:\n        number: Any.\n    """\n'
        source += f'    return {{"product": number * {factor}}}\n'
        program = Program(source, name, "Multiplies.", (Parameter("number", float, "Any."),), needs=needs)
        record = Record(
            "model tiny",
            "Multiply for me.",
            "It multiplies.",
            (*proven, Verdict(Stage.TRIAL, True)),
            (case,),
            needs_review,
        )
        return registry.register(program, record)

    register("double_it", 2)
    second = register("double_it", 3)
    registry.roll_back("double_it")
    registry.note_run("double_it", 1, None, 0.2)
    registry.note_run("double_it", 1, AgentError(ErrorCode.TOOL_FAILED, "number is no number"), 0.1)
    registry.note_run("double_it", second, None, 0.3)
    register("wave_twice", 5, needs_review=True, needs=frozenset(Need))
    registry.approve("wave_twice", 1, "looks good")
    register("wave_twice", 6, needs_review=True)
    register("old_tool", 7)
    registry.set_enabled("old_tool", False, "Nobody needs it.")
    register("gone_tool", 8)
    registry.delete("gone_tool")
    return [
        {
            **asdict(one),
            "sources": {version.number: registry.source_of(one.name, version.number) for version in one.versions},
            "usage": {version.number: asdict(registry.usage(one.name, version.number)) for version in one.versions},
        }
        for one in registry.list()
    ]


def phrases(state: Path) -> Any:
    store = LearnedPhrases(state / "phrases.db")
    store.learn("do the monkey", [Action("gesture", {"gesture": "wave"}), Action("speak", {"text": "Ugh ugh"})])
    store.learn("zeig mir den Himmel", [Action("move_head", {"pitch_deg": -30.0})])
    return [{"phrase": one.phrase, "actions": [asdict(action) for action in one.actions]} for one in store.all()]


def traces(state: Path) -> Any:
    error = AgentError(ErrorCode.TIMEOUT, "move_head took too long.")
    spans = (
        Span(1, SpanKind.HEARING, "speech", -0.8, 0.8, summary="look left"),
        Span(2, SpanKind.MODEL, "tiny", 0.1, 0.6, input_tokens=900, output_tokens=20),
        Span(3, SpanKind.TOOL, "move_head", 0.7, 2.0, '{"yaw_deg": 30}', error=error),
        Span(0, SpanKind.TURN, "robot", 0.0, 2.8, summary="I could not look left."),
    )
    store = TraceStore(state / "traces.db")
    store.add([SpanRecord(TURN, "default", NOW, one) for one in spans], {(TURN, "default"): 2}, Retention())

    def told(span: Span) -> Any:
        fault = None if span.error is None else [int(span.error.code), span.error.message]
        values = {name: value for name, value in vars(span).items() if name != "error"}
        return {**values, "kind": int(span.kind), "error": fault}

    return [
        {
            "turn_id": one.turn_id,
            "session_id": one.session_id,
            "began": one.began,
            "lost": one.lost,
            "spans": list(map(told, one.spans)),
        }
        for one in store.latest(10)
    ]


def written_by_hand(state: Path) -> Any:
    files = {
        "persona": "captain\n",
        "personas/captain/persona.yaml": 'description: A captain who is fond of the sea.\nvoice: ""\ntools:\n  - speak\n  - look_at\n',
        "personas/captain/instructions.md": "You are the captain of a small ship.\n",
        "models.yaml": "quick:\n  endpoints:\n    - url: http://127.0.0.1:8080/v1\n      model: tiny\n      timeout: 20.0\n",
        "mcp.yaml": "servers:\n  clock:\n    command: clock-server\n    args: [--utc]\n    time_limit: 5.0\n",
        "my_tools/ring.py": 'def ring() -> dict:\n    """Rings."""\n    return {}\n',
    }
    for name, text in files.items():
        path = state / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return files


def main(target: Path) -> None:
    state = Path("/tmp/earlier_state/state")
    state.mkdir(mode=0o700, parents=True)
    kinds = (
        sessions, memory, feedback, permissions, audit, tokens, plans, demonstrations, policies, tools, phrases, traces,
        written_by_hand,
    )  # fmt: skip
    contents = {"written": NOW} | {kind.__name__: kind(state) for kind in kinds}
    text = json.dumps(contents, indent=1, sort_keys=True, ensure_ascii=False, default=_plain)
    (target / "contents.json").write_text(text + "\n", "utf-8")
    with tarfile.open(target / "state.tar.xz", "w:xz", preset=9) as archive:
        archive.add(state, "state", filter=_nobody)


def _plain(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, frozenset | set) else str(value)


def _nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Removes the owner of an archive entry. Excludes training runs, because they contain only plots and logs."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return None if entry.name.startswith("state/runs") else entry


if __name__ == "__main__":
    main(Path(sys.argv[1]))
