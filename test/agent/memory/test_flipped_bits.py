"""Flipped bits in the memory file: a changed entry must never be returned.

SQLite does not detect flipped bits.
"""

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.recollection import Recollection
from reachy_agent_ros.core.embedding import SentenceEmbedder
from support.flipped_bits import flip

SECRET = "The spare key lies under the third flowerpot."
OTHER = "The cat is called Mimi."


@pytest.fixture
def stored(path: Path, embedder: SentenceEmbedder) -> Path:
    with closing(Memory(path, embedder)) as memory:
        memory.remember(MemoryEntry(EntryKind.EPISODE, SECRET), MemoryEntry(EntryKind.EPISODE, OTHER))
    return path


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 8 * len(SECRET) - 1))
def test_damaged_entry_is_omitted_and_reported(stored: Path, embedder: SentenceEmbedder, bit: int) -> None:
    damaged = stored.with_name("damaged.db")
    shutil.copy(stored, damaged)
    flip(damaged, SECRET, bit)
    with closing(Memory(damaged, embedder)) as memory:
        assert [entry.text for entry in memory.entries()] == [OTHER]
        assert [found.entry.text for found in memory.recall("Where is the key?")] == [OTHER]
        assert memory.recall_words("spare key flowerpot") == []
        assert memory.entry(1) is None
        assert "Left out: entry 1." in memory.damage


def test_recollection_reports_damaged_entry(stored: Path, embedder: SentenceEmbedder, tmp_path: Path) -> None:
    flip(stored, SECRET)
    recollection = Recollection(stored, tmp_path / "notes", lambda: embedder)
    recollection.open()
    assert recollection.problem == ""
    recollection.prompt("default", "")
    assert "Left out: entry 1." in recollection.problem
    assert "reachy-agent restore" in recollection.problem
    recollection.close()


def test_damaged_entry_can_be_forgotten(stored: Path, embedder: SentenceEmbedder) -> None:
    flip(stored, SECRET)
    with closing(Memory(stored, embedder)) as memory:
        assert memory.forget_everything().count == 2
        assert memory.entries() == []
