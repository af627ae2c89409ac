"""A memory in a file of its own, with the real embedder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.mind.embedding import SentenceEmbedder
from reachy_agent_ros.mind.memory.memory import Memory


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
