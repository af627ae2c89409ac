from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.drop_folder import LARGEST_SOURCE, DropFolder
from reachy_agent_ros.tool_generation.verification.case import Case


class Gate:
    """Validation stub that accepts every source except those that contain `bad`."""

    def __init__(self, folder: Path) -> None:
        self.taken: list[tuple[bytes, Sequence[Case]]] = []
        self.drop = DropFolder(folder, self.admit, lambda digest: digest in self.digests)
        self.digests: set[str] = set()

    def admit(self, source: bytes, cases: Sequence[Case]) -> str:
        if b"bad" in source:
            raise AgentError(ErrorCode.VALIDATION_FAILED, "line 1: bad")
        self.taken.append((source, cases))
        return "It runs."

    def polled(self) -> list[tuple[str, str]]:
        """Returns the results of two polls.

        The first poll detects the change; the second poll detects that the file is complete.
        """
        found = [*self.drop.poll(), *self.drop.poll()]
        assert self.drop.poll() == []
        return [(dropped.path.name, dropped.message) for dropped in found]


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path)


def rewrite(path: Path, text: str) -> None:
    """Replaces a file in the same way as an editor that saves."""
    draft = path.with_suffix(".draft")
    draft.write_text(text)
    draft.replace(path)


def test_drop_folder_accepts_new_tool_file_once_with_its_test_cases(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def one(): ...")
    (tmp_path / "two.py").write_text("def two(): ...")
    (tmp_path / "two.cases.json").write_text('[{"args": {"x": 1}, "expect": {"y": 2}}]')
    (tmp_path / "notes.txt").write_text("bad")
    assert gate.polled() == [("one.py", "It runs."), ("two.py", "It runs.")]
    assert gate.taken == [(b"def one(): ...", ()), (b"def two(): ...", (Case({"x": 1}, {"y": 2}),))]


@pytest.mark.parametrize("changed", ["one.py", "one.cases.json"])
def test_drop_folder_accepts_changed_tool_or_test_cases(gate: Gate, tmp_path: Path, changed: str) -> None:
    (tmp_path / "one.py").write_text("[]")
    gate.polled()
    rewrite(tmp_path / changed, "[]")
    assert gate.polled() == [("one.py", "It runs.")]


def test_drop_folder_waits_until_file_is_complete(gate: Gate, tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    for text in ("def", "def one", "def one(): ..."):
        rewrite(path, text)
        assert gate.drop.poll() == []
    assert [dropped.path for dropped in gate.drop.poll()] == [path]
    assert gate.taken == [(b"def one(): ...", ())]


def test_drop_folder_reports_rejected_file_once_and_accepts_other_files(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("bad")
    (tmp_path / "two.py").write_text("good")
    assert gate.polled() == [("one.py", "line 1: bad"), ("two.py", "It runs.")]
    rewrite(tmp_path / "one.py", "fixed")
    assert gate.polled() == [("one.py", "It runs.")]


def test_drop_folder_skips_known_files_after_restart_unless_changed(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("good")
    gate = Gate(tmp_path)
    gate.digests.add(hashlib.sha256(b"good").hexdigest())
    assert gate.polled() == []
    rewrite(tmp_path / "one.cases.json", "[]")
    assert gate.polled() == [("one.py", "It runs.")]


def test_drop_folder_accepts_recreated_tool_file(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("good")
    gate.polled()
    (tmp_path / "one.py").unlink()
    assert gate.polled() == []
    (tmp_path / "one.py").write_text("good")
    assert gate.polled() == [("one.py", "It runs.")]


def test_drop_folder_rejects_large_and_special_files(gate: Gate, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "large.py").write_bytes(b"#" * (LARGEST_SOURCE + 1))
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere")
    told = dict(gate.polled())
    assert set(told) == {"pipe.py", "folder.py", "large.py", "gone.py"}
    assert "is not a file" in told["pipe.py"]
    assert "256 KiB" in told["large.py"]
    assert gate.taken == []


@pytest.mark.parametrize("cases", [b"\xff", b"{}", b"[[]]", b"[" * 100_000])
def test_drop_folder_rejects_tool_with_invalid_test_cases(gate: Gate, tmp_path: Path, cases: bytes) -> None:
    (tmp_path / "one.py").write_text("good")
    (tmp_path / "one.cases.json").write_bytes(cases)
    ((name, _),) = gate.polled()
    assert name == "one.py"
    assert gate.taken == []


def test_missing_drop_folder_is_treated_as_empty(tmp_path: Path) -> None:
    gate = Gate(tmp_path / "my_tools")
    assert gate.polled() == []
    (tmp_path / "my_tools").mkdir()
    (tmp_path / "my_tools" / "one.py").write_text("good")
    assert gate.polled() == [("one.py", "It runs.")]


def test_drop_folder_pattern_matches_several_folders(tmp_path: Path) -> None:
    gate = Gate(tmp_path)
    gate.drop = DropFolder(tmp_path, gate.admit, pattern="*/tools/*.py")
    for person in ("anna", "bert"):
        (tmp_path / person / "tools").mkdir(parents=True)
        (tmp_path / person / "tools" / f"{person}.py").write_text(person)
    (tmp_path / "anna" / "tools" / "anna.cases.json").write_text("[{}]")
    (tmp_path / "anna" / "elsewhere.py").write_text("good")
    assert gate.polled() == [("anna.py", "It runs."), ("bert.py", "It runs.")]
    assert gate.taken == [(b"anna", (Case(),)), (b"bert", ())]


def test_drop_folder_rejects_symbolic_link_without_revealing_target(gate: Gate, tmp_path: Path) -> None:
    secret = tmp_path.parent / f"{tmp_path.name}.secret"
    secret.write_text("root:x:0:0")
    (tmp_path / "stolen.py").symlink_to(secret)
    drop = DropFolder(tmp_path, gate.admit)
    drop.poll()
    (dropped,) = drop.poll()
    assert dropped.error is not None
    assert "is a link" in dropped.message
    assert "root:x" not in dropped.message
    assert drop.poll() == []
