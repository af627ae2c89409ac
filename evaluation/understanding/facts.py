"""Facts that people state in conversations: how many are kept without a language model, and how many answers are right.

Run `scripts/evaluate facts --file FILE` on conversations in the format of `development/facts.yaml`. The default is that
file, to which the patterns were fitted, so its figures only show regressions. `--wrong` also prints mistakes, to
standard error.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict, Field

from bench.report import Figure, print_report
from reachy_agent_ros.agent.memory.embedder import DIMENSIONS, Vectors
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.nlu.facts.fact_reader import Reading, read_question, read_statements

CONVERSATIONS = Path(__file__).parent / "development" / "facts.yaml"
UNKNOWN = "unknown"
_DENIED = "not "


class Turn(BaseModel):
    """Sentence of a person: facts by memory key that it states, or a question with words that its answer contains."""

    model_config = ConfigDict(extra="forbid")

    say: str = ""
    facts: dict[str, str] = Field(default_factory=dict)
    ask: str = ""
    answer: str = ""


class ToldConversation(BaseModel):
    """ToldConversation of one person in one language."""

    model_config = ConfigDict(extra="forbid")

    language: str
    turns: list[Turn]


class Meaningless:
    """Embedder without weights: the answers to these questions need no search."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns the same unit vector for every text, shape [n, 384]."""
        return np.full((len(texts), DIMENSIONS), DIMENSIONS**-0.5, np.float32)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of this evaluation."""
    parser.add_argument(
        "--file", type=Path, default=CONVERSATIONS, help="conversations (default: the development conversations)"
    )
    parser.add_argument("--wrong", action="store_true", help="print mistakes to standard error")


def main(as_json: bool, file: Path = CONVERSATIONS, wrong: bool = False) -> int:
    """Holds all conversations and prints the figures. Always returns exit code 0."""
    conversations = [ToldConversation.model_validate(one) for one in yaml.safe_load(file.read_text(encoding="utf-8"))]
    counts: Counter[str] = Counter()
    for conversation in conversations:
        for kind, told in _held(conversation):
            counts[kind] += 1
            if wrong and kind in ("missed", "wrong", "answered wrong"):
                print(f"{conversation.language} {kind}: {told}", file=sys.stderr)
    print_report("facts", list(_figures(counts)), as_json)
    return 0


def _held(conversation: ToldConversation) -> Iterator[tuple[str, str]]:
    """Yields the result and a description of each stated fact, kept fact and question of a conversation."""
    with tempfile.TemporaryDirectory() as folder, closing(Memory(Path(folder) / "memory.db", Meaningless())) as memory:
        before = Reading()
        for turn in conversation.turns:
            if turn.ask:
                yield _asked(memory, turn, before)
                continue
            is_question = read_question(turn.say, before) is not None
            before = Reading((), before.entity) if is_question else read_statements(turn.say, before)
            kept = {one.key: f"{_DENIED if one.negated else ''}{one.value}" for one in before.statements}
            memory.remember(*(MemoryEntry(EntryKind.FACT, one.text, one.key) for one in before.statements))
            for key, value in turn.facts.items():
                yield "kept right" if kept.get(key) == value else "missed", f"{turn.say!r}: {key}: {value}"
            for key, value in kept.items():
                if turn.facts.get(key) != value and key != "name":
                    yield "wrong", f"{turn.say!r}: {key}: {value}"


def _asked(memory: Memory, turn: Turn, before: Reading) -> tuple[str, str]:
    question = read_question(turn.ask, before)
    facts = [] if question is None else memory.knowledge.answer(question.text) or []
    told = "; ".join(fact.text for fact in facts)
    right = question is not None and not told if turn.answer == UNKNOWN else turn.answer in told
    return "answered right" if right else "answered wrong", f"{turn.ask!r}: {told or question}"


def _figures(counts: Counter[str]) -> Iterator[Figure]:
    stated, kept = counts["kept right"] + counts["missed"], counts["kept right"] + counts["wrong"]
    asked = counts["answered right"] + counts["answered wrong"]
    yield Figure("facts stated", stated, "")
    yield Figure("facts kept right", 100.0 * counts["kept right"] / max(1, stated), "%", 70.0, at_least=True)
    yield Figure("wrong facts among those kept", 100.0 * counts["wrong"] / max(1, kept), "%", 2.0)
    yield Figure("questions", asked, "")
    yield Figure("questions answered right", 100.0 * counts["answered right"] / max(1, asked), "%", 85.0, at_least=True)
