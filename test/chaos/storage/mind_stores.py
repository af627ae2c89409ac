"""The stores of `agent/` as `StoreUnderTest`."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from chaos.storage.words import number_in, words_of
from reachy_agent_ros.agent.memory.embedder import DIMENSIONS, Vectors
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.agent.permissions.approval_store import ApprovalOutcome, ApprovalStore
from reachy_agent_ros.agent.permissions.audit_check import records
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.agent.sessions.session_store import SessionStore
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.learned import LearnedPhrases

_SESSION = "kept"
_DAY = 86400.0


class NoMeaning:
    """Embedder that returns the same vector for every text, because the tests find entries by number."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Implements `Embedder`."""
        vectors = np.random.default_rng(len(texts[0])).normal(size=(len(texts), DIMENSIONS))
        unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        return unit


class Memories:
    """Store of episodes."""

    def __init__(self, folder: Path) -> None:
        self._memory = Memory(folder / "memory.db", NoMeaning())

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        self._memory.remember(MemoryEntry(EntryKind.EPISODE, words_of(number)))

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`."""
        return [(number_in(entry.text), entry.text) for entry in self._memory.entries()]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""
        self._memory.close()


class NoteFiles:
    """Store of notes as files. Their index can be rebuilt."""

    def __init__(self, folder: Path) -> None:
        self._memory = Memory(folder / "memory.db", NoMeaning())
        self._notes = Notes(self._memory, folder / "notes")
        self._folder = folder / "notes"
        self._notes.synchronize()

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        self._notes.write(f"note {number}", words_of(number))

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`."""
        names = [path.stem for path in self._folder.glob("*.md")]
        return [(int(name.split()[1]), self._notes.read(name).removesuffix("\n")) for name in names]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""
        self._memory.close()


class Conversations:
    """Store of the messages of one conversation."""

    def __init__(self, folder: Path) -> None:
        self._sessions = SessionStore(folder / "sessions.sqlite3")

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        asyncio.run(self._sessions.append(_SESSION, [{"role": "user", "content": words_of(number)}]))

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`."""
        if not asyncio.run(self._sessions.sessions()):
            return []
        said = [str(item.get("content")) for item in asyncio.run(self._sessions.items(_SESSION))]
        return [(number_in(words), words) for words in said]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""
        self._sessions.close()


class Plans:
    """Store of one plan per conversation."""

    def __init__(self, folder: Path) -> None:
        self._plans = PlanStore(folder / "plans.sqlite3")

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        self._plans.put(f"session {number}", TaskTree(words_of(number), ()))

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`."""
        return [(int(name.split()[1]), tree.goal) for name, tree in self._plans.load().items()]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""
        self._plans.close()


class Approvals:
    """Store of pending approvals. Before each of them, another approval is requested and answered."""

    def __init__(self, folder: Path) -> None:
        self._approvals = ApprovalStore(folder / "approvals.sqlite3")

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        now, turn = time.time(), uuid.uuid4()
        answered = PendingApproval("dance", "{}", turn, "robot", now, now + _DAY)
        self._approvals.add(answered)
        self._approvals.settle(answered.approval_id, ApprovalOutcome.APPROVED)
        self._approvals.add(PendingApproval("erase", "{}", turn, "robot", now, now + _DAY, reason=words_of(number)))

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`."""
        asked = [one.reason for one in self._approvals.waiting() if one.tool == "erase"]
        return [(number_in(words), words) for words in asked]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""
        self._approvals.close()


class Decisions:
    """Store of the entries of the audit log."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "audit.jsonl"
        self._log = AuditLog(self._path)

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        self._log.append(AuditEntry("call", "allowed", "robot", "dance", reason=words_of(number)))

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`."""
        told = [record["reason"] for record in records(self._path) if record["event"] == "call"]
        return [(number_in(words), words) for words in told]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""
        self._log.close()


class Phrases:
    """Store of learned phrases."""

    def __init__(self, folder: Path) -> None:
        self._phrases = LearnedPhrases(folder / "phrases.db")

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        self._phrases.learn(f"phrase {number}", [Action("say", {"text": words_of(number)})])

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`."""
        said = [str(one.actions[0].arguments["text"]) for one in self._phrases.all()]
        return [(number_in(words), words) for words in said]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""
        self._phrases.close()
