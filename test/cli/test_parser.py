"""Tests that the help groups the commands, and that unknown commands cause a suggestion."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from reachy_agent_ros.cli import cli, commands
from reachy_agent_ros.cli.groups import Group

MODULES = {
    entry.name: importlib.import_module(f"{commands.__name__}.{entry.name}")
    for entry in pkgutil.iter_modules(commands.__path__)
}


def section(text: str, heading: str) -> str:
    return text.partition(f"\n{heading}:\n")[2].partition("\n\n")[0]


@pytest.mark.parametrize("group", Group)
def test_help_lists_commands_of_group(group: Group, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    listed = section(capsys.readouterr().out, group).splitlines()
    names = [line.split()[0] for line in listed if line.startswith("  ") and line[2] != " "]
    assert names == [name for name, module in MODULES.items() if module.GROUP is group]


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_short_help_fits_on_screen(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert cli.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    assert all(len(line) <= max(60, int(columns)) for line in lines)


def test_short_help_names_every_command_for_users(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    words = capsys.readouterr().out.replace(",", " ").split()
    users = {name for name, module in MODULES.items() if module.GROUP is not Group.DEVELOPERS}
    assert users <= set(words)
    assert "bench" not in words


@pytest.mark.parametrize(
    ("words", "closest"),
    [(["statsu"], "status"), (["tools", "lst"], "list"), (["skills", "rolback", "nod"], "rollback")],
)
def test_unknown_command_error_contains_closest_name(
    words: list[str], closest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(words)
    assert f"Did you mean {closest}?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "closest"),
    [(["ask", "--hlep"], "--help"), (["ask", "--jsn", "hello"], "--json")],
)
def test_unknown_option_error_contains_closest_name(
    words: list[str], closest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(words)
    assert f"Did you mean {closest}?" in capsys.readouterr().err


def test_parser_accepts_abbreviated_option() -> None:
    arguments = cli.parsed(["ask", "--jso", "hello"])
    assert arguments is not None
    assert arguments.json


def test_parser_reads_word_after_double_hyphen_or_with_space_as_text() -> None:
    assert cli.parsed(["ask", "--", "--hlep"]) is not None
    assert cli.parsed(["ask", "--hlep me"]) is not None


@pytest.mark.parametrize(
    ("words", "help_command"), [(["xyzzy"], "reachy-agent"), (["tools", "xyzzy"], "reachy-agent tools")]
)
def test_unknown_command_error_names_help_without_close_name(
    words: list[str], help_command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(words)
    assert f"{help_command} --help lists the commands." in capsys.readouterr().err


def test_unknown_command_error_names_command_to_talk_to_robot(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(["dance"])
    assert 'To say it to the robot: reachy-agent ask "dance"' in capsys.readouterr().err
