"""Fixtures for memory tests: a memory in a temporary file, with the real embedder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.embedding import SentenceEmbedder


@pytest.fixture(scope="session")
def embedder() -> SentenceEmbedder:
    return SentenceEmbedder()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "memory.db"


@pytest.fixture
def memory(path: Path, embedder: SentenceEmbedder) -> Iterator[Memory]:
    memory = Memory(path, embedder)
    yield memory
    memory.close()
