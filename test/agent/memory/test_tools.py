import asyncio
import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.memory.documents import Documents
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.agent.memory.tools import memory_tools
from reachy_agent_ros.agent.toolbox.toolbox import OwnTools
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolOutcome

SECRET = "the quokkas of Zanzibar"


@pytest.fixture
def notes(memory: Memory, tmp_path: Path) -> Notes:
    return Notes(memory, tmp_path / "notes")


@pytest.fixture
def tools(memory: Memory, notes: Notes) -> OwnTools:
    return OwnTools(memory_tools(memory, notes))


def call(tools: OwnTools, tool: str, **arguments: object) -> ToolOutcome:
    return asyncio.run(tools.call(ToolCall(tool, json.dumps(arguments), uuid.uuid4(), "home")))


def result(tools: OwnTools, tool: str, **arguments: object) -> dict[str, Any]:
    outcome = call(tools, tool, **arguments)
    assert outcome.error is None, outcome.error
    found: dict[str, Any] = json.loads(outcome.result_json)
    return found


def refused(tools: OwnTools, tool: str, code: ErrorCode, **arguments: object) -> str:
    error = call(tools, tool, **arguments).error
    assert error is not None
    assert error.code is code
    return error.message


def test_recalled_memory_entry_has_source(tools: OwnTools) -> None:
    result(tools, "remember", key="Pet", text="a dachshund called Bruno")
    (found,) = result(tools, "recall", query="Which dog do I have?")["results"]
    assert found["text"] == "pet: a dachshund called Bruno"
    assert (found["kind"], found["source"]) == ("fact", "told in conversation home")


def test_recall_returns_current_text_of_edited_note(tools: OwnTools, tmp_path: Path) -> None:
    result(tools, "write_note", name="tea", text="Four minutes.")
    result(tools, "write_note", name="tea", text="No milk.")
    assert result(tools, "read_note", name="tea") == {
        "name": "tea",
        "text": "Four minutes.\n\nNo milk.\n",
        "whole": True,
    }
    (tmp_path / "notes" / "tea.md").write_text("# Tea\nSix minutes.\n")
    (tmp_path / "notes" / "bad.md").write_bytes(b"\xff")
    found = result(tools, "recall", query="how long does tea take", kinds=["note"])
    assert [one["source"] for one in found["results"]] == ["tea.md, Tea, lines 1-2"]
    assert found["unreadable_notes"] == ["bad.md"]


def test_recalled_document_is_cited_by_file_heading_and_lines(tools: OwnTools, memory: Memory, tmp_path: Path) -> None:
    manual = tmp_path / "manual.md"
    manual.write_text("# Kettle\n\nFill it to the mark.\n\n# Descaling\n\nUse citric acid.\n")
    Documents(memory).add(manual)
    result(tools, "remember", key="kettle", text="citric acid is under the sink")
    found = result(tools, "search_documents", query="How do I remove scale?", limit=1)["results"]
    assert [one["source"] for one in found] == [f"{manual}, Descaling, lines 5-7"]


def test_forget_tool_deletes_fact_by_key_without_repeating_text(tools: OwnTools, path: Path) -> None:
    result(tools, "remember", key="Favorite animals", text=SECRET)
    outcome = result(tools, "forget", what="favorite  Animals")
    assert outcome == {"forgotten": "favorite animals", "erased": True, "also_in": []}
    assert b"quokka" not in b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_forget_tool_lists_other_entries_that_contain_the_text(tools: OwnTools, memory: Memory) -> None:
    (episode,) = memory.remember(MemoryEntry(EntryKind.EPISODE, f'Asked: "Tell me of {SECRET}."'))
    result(tools, "remember", key="animals", text=SECRET)
    assert result(tools, "forget", what="animals")["also_in"] == [f"episode {episode.identity}"]


def test_forget_tool_lists_similar_entries_for_unknown_key(tools: OwnTools, memory: Memory) -> None:
    (episode,) = memory.remember(MemoryEntry(EntryKind.EPISODE, "Asked about stamps from Iceland. Answered: three."))
    told = refused(tools, "forget", ErrorCode.NOT_FOUND, what="the stamps")
    assert f"number {episode.identity}: 'Asked about stamps from Iceland." in told
    assert len(memory) == 1


def test_forget_tool_deletes_episode_only_if_its_beginning_is_quoted(tools: OwnTools, memory: Memory) -> None:
    (episode,) = memory.remember(MemoryEntry(EntryKind.EPISODE, "Asked about stamps from Iceland. Answered: three."))
    number = episode.identity
    told = refused(tools, "forget", ErrorCode.INVALID_ARGUMENTS, what="The weather was discussed", number=number)
    assert "begins with 'Asked about stamps" in told
    refused(tools, "forget", ErrorCode.INVALID_ARGUMENTS, what="Asked", number=number)
    refused(tools, "forget", ErrorCode.NOT_FOUND, what="Asked about stamps", number=4711)
    assert len(memory) == 1
    assert result(tools, "forget", what="asked about stamps from", number=number)["forgotten"] == f"episode {number}"
    assert len(memory) == 0


def test_forget_tool_rejects_passage_of_file(tools: OwnTools, memory: Memory) -> None:
    result(tools, "write_note", name="tea", text="Four minutes, and no milk.")
    (passage,) = memory.entries()
    told = refused(tools, "forget", ErrorCode.INVALID_ARGUMENTS, what=passage.text, number=passage.identity)
    assert "forget the file, or change it" in told
    assert result(tools, "forget_note", name="tea") == {"forgotten": "tea", "erased": True}
    assert memory.entries() == []


def test_error_for_missing_note_lists_existing_notes(tools: OwnTools) -> None:
    result(tools, "write_note", name="people/maria", text="Collects stamps.")
    told = refused(tools, "read_note", ErrorCode.NOT_FOUND, name="maria")
    assert told == "There is no note 'maria'; available: people/maria.md."


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("remember", {"key": " ", "text": "x"}),
        ("remember", {"key": "x" * 1001, "text": "x"}),
        ("remember", {"text": "x"}),
        ("recall", {"query": " "}),
        ("recall", {"query": "x", "kinds": ["dream"]}),
        ("recall", {"query": "x", "limit": 11}),
        ("search_documents", {"query": ""}),
        ("write_note", {"name": "../../etc/cron", "text": "x"}),
        ("read_note", {"name": "/etc/passwd"}),
        ("forget_note", {"name": ".."}),
    ],
)
def test_memory_tools_reject_invalid_arguments(
    tools: OwnTools, memory: Memory, tool: str, arguments: dict[str, object]
) -> None:
    refused(tools, tool, ErrorCode.INVALID_ARGUMENTS, **arguments)
    assert len(memory) == 0


def test_memory_tools_with_untrusted_output_are_marked(tools: OwnTools) -> None:
    catalogue = tools.catalogue()
    assert {tool.name for tool in catalogue if tool.untrusted_output} == {"recall", "search_documents", "read_note"}
    assert {tool.specialist for tool in catalogue} == {"memory"}
    assert not any("$ref" in json.dumps(tool.schema) for tool in catalogue)
