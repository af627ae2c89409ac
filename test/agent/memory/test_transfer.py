import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.transfer import _entry, export_lines, import_lines
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode

GOOD = {"kind": "episode", "key": "", "text": "Done.", "source": "", "created": 1.0, "participants": ["Ann"]}


def test_repeated_import_does_not_duplicate_entries(memory: Memory, tmp_path: Path, embedder: SentenceEmbedder) -> None:
    memory.remember(
        MemoryEntry(EntryKind.FACT, "grün\nund blau", "color", "Ann", 5.0),
        MemoryEntry(EntryKind.EPISODE, "Danced.", "", "", 6.0, ("A", "B")),
    )
    lines = list(export_lines(memory))
    other = Memory(tmp_path / "other.db", embedder)
    assert import_lines(other, lines) == 2
    assert import_lines(other, lines) == 0
    assert list(export_lines(other)) == lines
    other.close()


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        "null",
        "[" * 100_000,
        json.dumps({}),
        json.dumps({**GOOD, "kind": "dream"}),
        json.dumps({**GOOD, "text": 5}),
        json.dumps({**GOOD, "text": " "}),
        json.dumps({**GOOD, "created": True}),
        json.dumps({**GOOD, "created": 10**400}),
        json.dumps({**GOOD, "participants": [1]}),
    ],
)
def test_import_error_names_invalid_line_and_imports_nothing(memory: Memory, line: str) -> None:
    with pytest.raises(AgentError) as error:
        import_lines(memory, [json.dumps(GOOD), line])
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert memory.entries() == []


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda part: st.dictionaries(st.sampled_from(list(GOOD)), part),
    )
)
def test_import_of_any_json_returns_entry_or_raises_error(value: object) -> None:
    with suppress(AgentError):
        assert isinstance(_entry(1, json.dumps(value)), MemoryEntry)
