"""Targets for JSON files: plans, recorded moves, tokens, memories, tool test cases and exported tools."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.file_target import FileTarget
from fuzz.mutation.json_mutation import mutated_json
from reachy_agent_ros.agent.memory.embedder import DIMENSIONS, Vectors
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.transfer import import_lines
from reachy_agent_ros.agent.planning.plan_board import PlanBoard
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.planning.plan_text import differences, plan_prompt, rendered
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.motion import gesture
from reachy_agent_ros.motion.move_folder import load_recorded_move
from reachy_agent_ros.tool_generation.registry.transfer import export_text, read_export
from reachy_agent_ros.tool_generation.verification.case import read_cases

_CONVERSATION = "a conversation"

_STEP = {"key": 1, "title": "Look left.", "expectation": "The door is seen.", "needs_tool": True, "state": 1}
_PLAN = {
    "goal": "Look around",
    "steps": [
        {**_STEP, "outcome": "", "failures": 1, "steps": []},
        {**_STEP, "key": 2, "state": 0, "steps": [{**_STEP, "key": 3, "state": 2, "outcome": "nothing"}]},
    ],
    **{"revision": 3, "last_key": 3, "failed_in_a_row": 1, "tool_worked": False, "in_error": ["find_object"]},
}

_TOKEN = {"name": "tablet", "role": "operator", "digest": 64 * "0", "made_at": 1.7e9}
_MEMORY = {"kind": "episode", "key": "", "text": "Done.", "source": "", "created": 1.0, "participants": ["Ann"]}
_CASES: list[dict[str, Any]] = [
    {"args": {"x": 1}, "expect": {"y": 2.0}},
    {"args": {}, "raises": "ValueError"},
    {"args": {"x": [1, "a"]}},
]
_TOOL = (
    'def wave(times: int = 2) -> dict:\n    """Waves.\n\n    Args:\n        times: How often.\n    """\n    return {}\n'
)


def plans() -> FileTarget:
    """Returns a target that loads and displays plans in the same way as after a restart."""
    return _target("plan.json", [_PLAN], _load_plan)


def recorded_moves() -> FileTarget:
    """Returns a target that loads and plays recorded moves."""
    folder = Path(gesture.__file__).with_name("gestures")
    return _target("move.json", [json.loads((folder / f"{name}.json").read_text()) for name in ("nod", "tilt")], _play)


def token_files() -> FileTarget:
    """Returns a target that looks up a token in `tokens.json`."""
    content = {"format": 1, "tokens": [_TOKEN, {**_TOKEN, "name": "phone", "role": "observer"}]}
    return _target("tokens.json", [content], lambda path: TokenFile(path).find("reachy_unknown"))


def memories() -> FileTarget:
    """Returns a target that imports memories from a file with one memory per line."""
    samples = [[_MEMORY, {**_MEMORY, "kind": "fact", "key": "color"}, {**_MEMORY, "kind": "note", "key": "a.md"}]]
    return _target("memory.jsonl", samples, _import_memories)


def tool_cases() -> FileTarget:
    """Returns a target that reads the test cases of a tool."""
    return _target("cases.json", [_CASES], lambda path: read_cases(path.read_text(encoding="utf-8", errors="replace")))


def exported_tools() -> FileTarget:
    """Returns a target that imports exported tools."""
    sample = json.loads(export_text(_TOOL, "It waves.", _CASES))
    return _target("tool.json", [sample], lambda path: read_export(path.read_bytes()))


def _target(name: str, samples: Sequence[Any], load: Callable[[Path], object]) -> FileTarget:
    return FileTarget(name, [json.dumps(sample).encode() for sample in samples], _mutated, load)


def _mutated(sample: bytes, chance: random.Random) -> bytes:
    return mutated_json(json.loads(sample), chance)


def _load_plan(path: Path) -> None:
    """Loads a plan as the agent does after a restart.

    The running step is interrupted, and the plan is formatted for the model and the terminal.
    """
    store = path.with_name("plans.sqlite3")
    PlanStore(store).close()
    with closing(sqlite3.connect(store)) as connection:
        row = (_CONVERSATION, path.read_bytes().decode(errors="replace"), 4e9)
        connection.execute("INSERT INTO plans (session_id, tree, changed) VALUES (?, ?, ?)", row)
        connection.commit()
    board = PlanBoard(PlanStore(store))
    try:
        tree = board.tree(_CONVERSATION)
        if tree is not None:
            plan_prompt(tree), rendered(tree), differences(None, tree)
        board.person_spoke(_CONVERSATION)
    finally:
        board.close()


def _play(path: Path) -> None:
    move = load_recorded_move(path)
    for moment in np.linspace(-1.0, move.duration + 1.0, 20):
        pose = move.at(float(moment))
        assert np.isfinite([*pose.head.flat, pose.antenna_right, pose.antenna_left, pose.body_yaw]).all()


class _OneVector:
    """Embedder that returns the same vector for every text."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns the same unit vector for every text."""
        return np.tile(np.eye(1, DIMENSIONS, dtype=np.float32), (len(texts), 1))


def _import_memories(path: Path) -> None:
    rows = _rows(path.read_text(encoding="utf-8", errors="replace"))
    memory = Memory(path.with_name("memory.db"), _OneVector())
    try:
        import_lines(memory, rows)
        memory.recall_words("Done.")
    finally:
        memory.close()


def _rows(text: str) -> list[str]:
    """Returns one line for each item of a JSON list. Any other text becomes a single line."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        return [text]
    return [json.dumps(entry) for entry in entries] if isinstance(entries, list) else [text]
