import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.agent.memory.embedder import DIMENSIONS, Vectors
from reachy_agent_ros.agent.memory.entry import Entry, Kind
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.gateway.memories import FileMemories


class AnyMeaning:
    """Who searches by words has no use for meanings."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), DIMENSIONS), DIMENSIONS**-0.5, np.float32)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with closing(Memory(path, AnyMeaning())) as memory:
        memory.remember(
            Entry(Kind.FACT, "green", "favourite colour", "the person", 1000.0),
            Entry(Kind.FACT, "Paris", "home town", "the person", 1001.0),
            Entry(Kind.EPISODE, "Danced for Maria.", source="a task", created=1002.0, participants=("Maria",)),
            Entry(Kind.NOTE, "Water the plants.", "plants.md", "plants.md, line 1", 1003.0),
        )
    return path


def test_without_a_query_the_newest_come_first(file: Path) -> None:
    found = asyncio.run(FileMemories(file).find("  ", (), 3))
    assert [entry.text for entry in found] == ["Water the plants.", "Danced for Maria.", "Paris"]
    assert (found[1].kind, found[1].participants, found[1].score) == ("episode", ("Maria",), None)


def test_words_are_found_in_the_kinds_that_are_asked_for(file: Path) -> None:
    memories = FileMemories(file)
    (found,) = asyncio.run(memories.find("what colour does he like?", (), 10))
    assert (found.text, found.key) == ("green", "favourite colour")
    assert found.score is not None
    assert 0.0 < found.score <= 1.0
    assert asyncio.run(memories.find("colour", ["episode", "note"], 10)) == []


def test_what_is_forgotten_is_gone_from_the_disk(file: Path) -> None:
    memories = FileMemories(file)
    (found,) = asyncio.run(memories.find("Maria", (), 10))
    gone = asyncio.run(memories.forget(found.id))
    assert (gone.forgotten, gone.erased) == (1, True)
    assert not any(b"Maria" in each.read_bytes() for each in file.parent.iterdir())
    with pytest.raises(AgentError) as unknown:
        asyncio.run(memories.forget(found.id))
    assert unknown.value.code is ErrorCode.NOT_FOUND


def test_a_passage_of_a_file_is_not_forgotten_alone(file: Path) -> None:
    memories = FileMemories(file)
    (note,) = asyncio.run(memories.find("plants", ["note"], 10))
    with pytest.raises(AgentError, match=r"plants\.md") as refused:
        asyncio.run(memories.forget(note.id))
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS
