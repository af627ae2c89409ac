import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.cli.commands import memory
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.command_line import run_command


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state"
    monkeypatch.setenv("REACHY_AGENT_STATE", str(folder))
    return folder


run = partial(run_command, memory)


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command and parses the JSON lines of its output."""

    def read(*words: str) -> list[dict[str, Any]]:
        capsys.readouterr()
        assert run(*words) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return read


def refused(*words: str) -> ErrorCode:
    with pytest.raises(AgentError) as error:
        run(*words)
    return error.value.code


def test_memory_command_remembers_lists_recalls_and_forgets_facts(lines: Any) -> None:
    (stored,) = lines("remember", "Pet", "a dachshund called Bruno", "--json")
    assert (stored["number"], stored["key"], stored["kind"]) == (1, "pet", "fact")
    (found,) = lines("recall", "Which dog do I have?", "--json")
    assert 0.0 < found.pop("score") <= 1.0
    assert found == stored
    assert lines("list", "--kind", "episode", "--json") == []
    assert lines("list", "--json") == [stored]
    assert lines("forget", "PET", "--json") == [{"forgotten": 1, "erased": True}]
    assert lines("list", "--json") == []


def test_memory_list_is_printed_as_table(capsys: pytest.CaptureFixture[str]) -> None:
    run("remember", "pet", "a dachshund\n\x1b[31mcalled Bruno")
    assert capsys.readouterr().out == "Remembered as number 1: pet: a dachshund [31mcalled Bruno\n"
    run("list")
    header, line = capsys.readouterr().out.splitlines()
    assert header.split() == ["NUMBER", "KIND", "SINCE", "WHAT", "SOURCE"]
    assert line.startswith("1       fact")
    assert "  pet: a dachshund [31mcalled Bruno  told on the command line" in line
    run("recall", "Which dog do I have?")
    header, line = capsys.readouterr().out.splitlines()
    assert header.split()[:2] == ["SCORE", "NUMBER"]
    assert 0.0 < float(line.split()[0]) <= 1.0


def test_recall_reports_question_without_matching_memory(capsys: pytest.CaptureFixture[str]) -> None:
    run("recall", "Which dog do I have?")
    assert capsys.readouterr() == ("", "No memory matches the question.\n")


def test_recall_leaves_out_irrelevant_memories(lines: Any) -> None:
    for key, text in (("favorite color", "green"), ("pet", "a dachshund called Bruno"), ("lunch", "at noon")):
        run("remember", key, text)
    assert lines("recall", "quantum chromodynamics", "--json") == []
    assert [found["key"] for found in lines("recall", "Which dog do I have?", "--json")] == ["pet"]


def test_recall_is_ordered_by_score(lines: Any) -> None:
    for number in range(6):
        run("remember", f"dog {number}", f"a dachshund called Bruno number {number}")
    scores = [found["score"] for found in lines("recall", "What is the dachshund called?", "--json")]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)


def test_forget_suggests_similar_keys_for_unknown_key() -> None:
    run("remember", "favorite colour", "green")
    run("remember", "pet", "Bruno")
    with pytest.raises(AgentError, match=r"Did you mean favorite colour \(number 1\)\?"):
        run("forget", "favorite color")


def test_forget_deletes_all_given_entries_or_none(lines: Any) -> None:
    run("remember", "pet", "Bruno")
    run("remember", "drink", "tea")
    assert refused("forget", "pet", "color") is ErrorCode.NOT_FOUND
    assert refused("forget") is ErrorCode.INVALID_ARGUMENTS
    assert refused("forget", "pet", "--everything") is ErrorCode.INVALID_ARGUMENTS
    assert len(lines("list", "--json")) == 2
    assert lines("forget", "1", "drink", "--json")[0]["forgotten"] == 2


def test_exported_memories_can_be_imported(lines: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("remember", "pet", "Bruno")
    run("export", "--out", str(tmp_path / "kept.jsonl"))
    assert lines("forget", "--everything", "--json")[0]["forgotten"] == 1
    assert lines("import", str(tmp_path / "kept.jsonl"), "--json") == [{"new": 1}]
    exported = lines("export")
    assert [entry["text"] for entry in exported] == ["Bruno"]
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(exported[0])))
    assert lines("import", "-", "--json") == [{"new": 0}]


def test_reports_failed_import_and_export_of_memories(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("{}")
    assert refused("import", str(tmp_path / "bad")) is ErrorCode.INVALID_ARGUMENTS
    assert refused("import", str(tmp_path / "none")) is ErrorCode.INVALID_ARGUMENTS
    assert refused("export", "--out", str(tmp_path)) is ErrorCode.STORAGE_FAILED


def test_memory_command_reads_edited_notes(lines: Any, state: Path) -> None:
    (state / "notes").mkdir(parents=True)
    (state / "notes" / "tea.md").write_text("Four minutes.")
    (state / "notes" / "bad.md").write_bytes(b"\xff")
    ends = {line["file"]: line["state"] for line in lines("notes", "--json")}
    assert ends == {"tea.md": "read", "bad.md": "refused: bad.md is not UTF-8 text."}
    (state / "notes" / "tea.md").write_text("Six minutes.")
    assert lines("recall", "tea time", "--json")[0]["text"] == "Six minutes."
    assert lines("notes", "--json")[0]["state"] != "read"


def test_adds_lists_and_forgets_documents(lines: Any, tmp_path: Path) -> None:
    manual = tmp_path / "manual.md"
    manual.write_text("# Kettle\nFill it to the mark.\n")
    assert lines("documents", "add", str(manual), "--json") == [{"file": str(manual), "state": "read"}]
    assert lines("documents", "add", str(manual), "--json") == [{"file": str(manual), "state": "unchanged"}]
    assert lines("documents", "list", "--json") == [{"file": str(manual), "state": "listed"}]
    assert lines("recall", "kettle", "--kind", "document", "--json")[0]["source"] == f"{manual}, Kettle, lines 1-2"
    assert lines("documents", "forget", str(manual), "--json") == [{"forgotten": 1, "erased": True}]
    assert refused("documents", "forget", str(manual)) is ErrorCode.NOT_FOUND
    assert refused("documents", "add") is ErrorCode.INVALID_ARGUMENTS
