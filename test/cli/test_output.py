"""What commands print into pipes and onto terminals."""

import os
import pty
import sys

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.cli.output import Cell, show, show_table, styled

TABLE = "from reachy_agent_ros.cli.output import *; show_table(('NAME',), [(Cell('[red]robot', 'bold red'),)])"


def on_a_terminal(program: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TERM", "xterm-256color")
    told = b""

    def read(descriptor: int) -> bytes:
        nonlocal told
        part = os.read(descriptor, 1024)
        told += part
        return b"."  # none of it onto the test's own output

    assert pty.spawn([sys.executable, "-c", program], read, lambda _: b"") == 0
    return told.decode()


def test_a_table_in_a_pipe_is_a_line_a_row_without_colour(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(("NAME", "NOTE"), [(Cell("bridge", "red"), Cell("x" * 300)), (Cell("stt"), Cell(""))])
    assert capsys.readouterr().out.splitlines() == ["NAME    NOTE", f"bridge  {'x' * 300}", "stt"]
    assert styled("ok", "green") == "ok"


def test_a_terminal_shows_colour_and_what_is_no_markup_of_ours_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    told = on_a_terminal(TABLE, monkeypatch)
    assert "\x1b[1;31m" in told
    assert "[red]robot" in told


def test_whoever_wants_no_colour_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;31m" not in on_a_terminal(TABLE, monkeypatch)


def test_programs_get_json_and_people_words(capsys: pytest.CaptureFixture[str]) -> None:
    show({"name": "Zoë"}, "It is Zoë.", as_json=True)
    show({"name": "Zoë"}, "It is Zoë.", as_json=False)
    assert capsys.readouterr().out == '{"name": "Zo\\u00eb"}\nIt is Zoë.\n'


def test_a_list_of_demonstrations_is_a_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--list"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert main(["demo", "--list", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(table) - 1
