import os
from pathlib import Path

import pytest

from reachy_agent_ros.agent.memory.entry import EntryKind
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.core.errors import AgentError, ErrorCode


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture
def notes(memory: Memory, folder: Path) -> Notes:
    return Notes(memory, folder)


def test_edited_note_is_found_with_line_numbers(memory: Memory, notes: Notes, folder: Path) -> None:
    (folder / "people").mkdir(parents=True)
    (folder / "people" / "maria.md").write_text("# Maria\n\nShe collects stamps.\n")
    assert notes.synchronize().read == ["people/maria.md"]
    found = memory.recall("Who likes philately?")[0].entry
    assert (found.kind, found.source) == (EntryKind.NOTE, "people/maria.md, Maria, lines 1-3")


def test_edited_note_replaces_old_passages(memory: Memory, notes: Notes, folder: Path, path: Path) -> None:
    notes.write("tea", "Four minutes of xylitol.")
    (folder / "tea.md").write_text("Three minutes.")
    assert notes.synchronize().read == ["tea.md"]
    assert [entry.text for entry in memory.entries()] == ["Three minutes."]
    assert notes.synchronize().read == []
    assert b"xylitol" not in path.read_bytes()


def test_deleted_note_is_removed_from_memory(memory: Memory, notes: Notes, folder: Path) -> None:
    notes.write("tea", "Four minutes.")
    notes.write("coffee", "None.")
    (folder / "tea.md").unlink()
    notes.delete("coffee")
    assert notes.synchronize().forgotten == ["tea.md"]
    assert memory.entries() == []


def test_note_that_is_not_text_is_reported_and_skipped(memory: Memory, notes: Notes, folder: Path) -> None:
    notes.write("tea", "Four minutes.")
    (folder / "tea.md").write_bytes(b"\xff\xfe\x00")
    assert list(notes.synchronize().refused) == ["tea.md"]
    assert memory.entries() == []


def test_written_note_can_be_read(notes: Notes) -> None:
    notes.write("a/b", "Text")
    assert notes.read("a/b.md") == "Text\n"
    with pytest.raises(AgentError) as error:
        notes.read("c")
    assert error.value.code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("name", ["", "../up", "/etc/x", "a/../../b", ".hidden", "x\0y", "n" * 300])
def test_rejects_note_name_that_leads_outside_folder(notes: Notes, tmp_path: Path, name: str) -> None:
    for deed in (notes.read, notes.delete, lambda name: notes.write(name, "text")):
        with pytest.raises(AgentError) as error:
            deed(name)
        assert error.value.code is ErrorCode.INVALID_ARGUMENTS


def test_does_not_follow_symlink_out_of_notes_folder(
    notes: Notes, memory: Memory, folder: Path, tmp_path: Path
) -> None:
    folder.mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    assert notes.synchronize().read == []
    with pytest.raises(AgentError):
        notes.write("link", "text")
    assert (tmp_path / "secret.md").read_text() == "secret"


def test_single_passage_of_note_cannot_be_forgotten(memory: Memory, notes: Notes) -> None:
    notes.write("tea", "Four minutes.")
    with pytest.raises(AgentError, match=r"tea\.md"):
        memory.forget([entry.identity for entry in memory.entries() if entry.identity is not None])
    assert len(memory) == 1


def test_added_text_is_appended_to_note(memory: Memory, notes: Notes) -> None:
    notes.add("tea", "Four minutes.")
    notes.add("tea", "No milk.")
    assert notes.read("tea") == "Four minutes.\n\nNo milk.\n"
    assert "No milk." in memory.recall("milk")[0].entry.text


@pytest.mark.parametrize("text", [" \n", "x" * 100_001])
def test_note_is_unchanged_if_added_text_is_rejected(notes: Notes, text: str) -> None:
    notes.write("tea", "Four minutes.")
    for way in (notes.add, notes.write):
        with pytest.raises(AgentError) as error:
            way("tea", text)
        assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert notes.read("tea") == "Four minutes.\n"


def test_synchronization_of_notes_skips_pipes_and_undecodable_names(notes: Notes, folder: Path) -> None:
    notes.write("tea", "Four minutes.")
    os.mkfifo(folder / "pipe.md")
    (folder / os.fsdecode(b"caf\xe9.md")).write_text("Noir.")
    (folder / os.fsdecode(b"\xe9.md")).write_text("")
    assert len(notes.synchronize().refused) == 2
