from __future__ import annotations

import sys
from pathlib import Path

import pytest

from reachy_agent_ros.cli.line_editing import matches
from support.terminal import Terminal

PROGRAM = """
import sys
from pathlib import Path
from reachy_agent_ros.cli.line_editing import line_editing

def candidates(begun):
    return ["duck", "lion"] if begun else ["find", "follow"]

with line_editing(Path(sys.argv[1]), candidates):
    while (line := input("> ")) != "end":
        print(f"typed {line!r}")
"""


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return tmp_path / "history"


def typed(history: Path, text: str, shown: str) -> None:
    """Starts a program, types a text, and waits until the program prints `shown`."""
    terminal = Terminal([sys.executable, "-c", PROGRAM, str(history)], {"TERM": "dumb"})
    try:
        terminal.wait_for("> ")
        terminal.type(text)
        terminal.wait_for(shown)
        terminal.type("end\n")
        assert terminal.wait_for_end() == 0
    finally:
        terminal.close()


def test_history_is_saved_between_programs(history: Path) -> None:
    typed(history, "find the duck\n", "typed 'find the duck'")
    typed(history, "\x1b[A\x1b[A\n", "typed 'find the duck'")
    assert history.stat().st_mode & 0o077 == 0


def test_tab_completes_words(history: Path) -> None:
    typed(history, "fi\tdu\t\n", "typed 'find duck '")


def test_unwritable_history_does_not_prevent_input(tmp_path: Path) -> None:
    typed(tmp_path / "nowhere" / "history", "find\n", "typed 'find'")


def test_completions_ignore_case_and_end_with_space_if_unique() -> None:
    assert matches(["Joy", "jog", "fear"], "jo") == ["Joy", "jog"]
    assert matches(["joy", "fear"], "F") == ["fear "]
    assert matches(["joy"], "x") == []
