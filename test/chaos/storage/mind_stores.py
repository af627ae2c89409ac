"""Implementations of `StoreUnderTest` for the stores of `agent/`."""

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
    """Embedder stub that returns pseudorandom vectors, because these tests do not search by meaning."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns pseudorandom unit vectors. The random seed is the length of the first text."""
        vectors = np.random.default_rng(len(texts[0])).normal(size=(len(texts), DIMENSIONS))
        unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        return unit


class Memories:
    """Store of episodes."""

    def __init__(self, folder: Path) -> None:
        self._memory = Memory(folder / "memory.db", NoMeaning())

    def put(self, number: int) -> None:
        """Stores a numbered episode."""
        self._memory.remember(MemoryEntry(EntryKind.EPISODE, words_of(number)))

    def records(self) -> list[tuple[int, str]]:
        """Returns the stored episodes."""
        return [(number_in(entry.text), entry.text) for entry in self._memory.entries()]

    def close(self) -> None:
        """Closes the memory."""
        self._memory.close()


class NoteFiles:
    """Store of notes in files. The index of the notes can be rebuilt."""

    def __init__(self, folder: Path) -> None:
        self._memory = Memory(folder / "memory.db", NoMeaning())
        self._notes = Notes(self._memory, folder / "notes")
        self._folder = folder / "notes"
        self._notes.synchronize()

    def put(self, number: int) -> None:
        """Writes a numbered note."""
        self._notes.write(f"note {number}", words_of(number))

    def records(self) -> list[tuple[int, str]]:
        """Reads the notes from their files."""
        names = [path.stem for path in self._folder.glob("*.md")]
        return [(int(name.split()[1]), self._notes.read(name).removesuffix("\n")) for name in names]

    def close(self) -> None:
        """Closes the memory with the index of the notes."""
        self._memory.close()


class Conversations:
    """Store of the messages of one conversation."""

    def __init__(self, folder: Path) -> None:
        self._sessions = SessionStore(folder / "sessions.sqlite3")

    def put(self, number: int) -> None:
        """Appends a numbered message to the conversation."""
        asyncio.run(self._sessions.append(_SESSION, [{"role": "user", "content": words_of(number)}]))

    def records(self) -> list[tuple[int, str]]:
        """Returns the messages of the conversation."""
        if not asyncio.run(self._sessions.sessions()):
            return []
        said = [str(item.get("content")) for item in asyncio.run(self._sessions.items(_SESSION))]
        return [(number_in(words), words) for words in said]

    def close(self) -> None:
        """Closes the session store."""
        self._sessions.close()


class Plans:
    """Store of one plan per conversation."""

    def __init__(self, folder: Path) -> None:
        self._plans = PlanStore(folder / "plans.sqlite3")

    def put(self, number: int) -> None:
        """Stores a plan for a numbered conversation."""
        self._plans.put(f"session {number}", TaskTree(words_of(number), ()))

    def records(self) -> list[tuple[int, str]]:
        """Returns the plans of all conversations."""
        return [(int(name.split()[1]), tree.goal) for name, tree in self._plans.load().items()]

    def close(self) -> None:
        """Closes the plan store."""
        self._plans.close()


class Approvals:
    """Store of pending approvals. Before each pending approval, an answered approval is added."""

    def __init__(self, folder: Path) -> None:
        self._approvals = ApprovalStore(folder / "approvals.sqlite3")

    def put(self, number: int) -> None:
        """Stores an answered approval and a numbered pending approval."""
        now, turn = time.time(), uuid.uuid4()
        answered = PendingApproval("dance", "{}", turn, "robot", now, now + _DAY)
        self._approvals.add(answered)
        self._approvals.settle(answered.approval_id, ApprovalOutcome.APPROVED)
        self._approvals.add(PendingApproval("erase", "{}", turn, "robot", now, now + _DAY, reason=words_of(number)))

    def records(self) -> list[tuple[int, str]]:
        """Returns the pending approvals."""
        asked = [one.reason for one in self._approvals.waiting() if one.tool == "erase"]
        return [(number_in(words), words) for words in asked]

    def close(self) -> None:
        """Closes the approval store."""
        self._approvals.close()


class Decisions:
    """Store of audit log entries."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "audit.jsonl"
        self._log = AuditLog(self._path)

    def put(self, number: int) -> None:
        """Appends a numbered entry to the audit log."""
        self._log.append(AuditEntry("call", "allowed", "robot", "dance", reason=words_of(number)))

    def records(self) -> list[tuple[int, str]]:
        """Returns the entries of the audit log."""
        told = [record["reason"] for record in records(self._path) if record["event"] == "call"]
        return [(number_in(words), words) for words in told]

    def close(self) -> None:
        """Closes the audit log."""
        self._log.close()


class Phrases:
    """Store of learned phrases."""

    def __init__(self, folder: Path) -> None:
        self._phrases = LearnedPhrases(folder / "phrases.db")

    def put(self, number: int) -> None:
        """Stores a numbered learned phrase."""
        self._phrases.learn(f"phrase {number}", [Action("say", {"text": words_of(number)})])

    def records(self) -> list[tuple[int, str]]:
        """Returns the learned phrases."""
        said = [str(one.actions[0].arguments["text"]) for one in self._phrases.all()]
        return [(number_in(words), words) for words in said]

    def close(self) -> None:
        """Closes the store of learned phrases."""
        self._phrases.close()
