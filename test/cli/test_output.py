"""Tests of the output of commands to pipes and terminals."""

import os
import pty
import re
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
        return b"."  # replaces the output, which `pty.spawn` copies to the standard output

    assert pty.spawn([sys.executable, "-c", program], read, lambda _: b"") == 0
    return told.decode()


def test_table_in_pipe_has_one_plain_line_per_row(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(("NAME", "NOTE"), [(Cell("bridge", "red"), Cell("x" * 300)), (Cell("stt"), Cell(""))])
    assert capsys.readouterr().out.splitlines() == ["NAME    NOTE", f"bridge  {'x' * 300}", "stt"]
    assert styled("ok", "green") == "ok"


def test_table_on_terminal_has_color_and_keeps_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    told = on_a_terminal(TABLE, monkeypatch)
    assert "\x1b[1;31m" in told
    assert "[red]robot" in told


def test_narrow_terminal_lists_cells_of_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    names = ("hardware_bridge_of_the_first_robot", "hardware_bridge_of_the_second_robot")
    rows = [(Cell(name), Cell(""), Cell("x" * 60)) for name in names]
    program = f"from reachy_agent_ros.cli.output import *; show_table(('NAME', 'STATE', 'NOTE'), {rows!r})"
    told = on_a_terminal(program, monkeypatch)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", told)
    assert max(map(len, plain.splitlines())) <= 40
    assert "".join(plain.split()).count("x") == 120
    assert "STATE" not in plain
    for name in names:
        assert name in "".join(line.removeprefix("NAME").strip() for line in plain.splitlines())


def test_table_does_not_wrap_names_or_omit_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    names = ("hardware_bridge.breathing_sway_rate", "tts.volume")
    rows = [(Cell(name), Cell("x" * 60), Cell("a number from 0.05 to 1"), Cell("default")) for name in names]
    program = f"from reachy_agent_ros.cli.output import *; show_table(('NAME', 'VALUE', 'ALLOWED', 'ORIGIN'), {rows!r})"
    plain = re.sub(r"\x1b\[[0-9;]*m", "", on_a_terminal(program, monkeypatch))
    assert plain.split()[:4] == ["NAME", "VALUE", "ALLOWED", "ORIGIN"]
    assert all(name in plain for name in names)
    assert max(map(len, plain.splitlines())) <= 80


def test_no_color_variable_disables_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;31m" not in on_a_terminal(TABLE, monkeypatch)


def test_result_is_printed_as_json_or_text(capsys: pytest.CaptureFixture[str]) -> None:
    show({"name": "Zoë"}, "It is Zoë.", as_json=True)
    show({"name": "Zoë"}, "It is Zoë.", as_json=False)
    assert capsys.readouterr().out == '{"name": "Zo\\u00eb"}\nIt is Zoë.\n'


def test_list_is_printed_as_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--list"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert main(["demo", "--list", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(table) - 1
