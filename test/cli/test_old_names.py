"""Tests that the former names of commands still work, but are not listed in the help."""

from __future__ import annotations

import contextlib
import re

import pytest

from reachy_agent_ros.cli import cli
from reachy_agent_ros.cli.old_names import OLD_NAMES, with_current_names


@pytest.mark.parametrize("old", OLD_NAMES, ids=" ".join)
def test_old_name_runs_current_command(old: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main([*old, "--help"])
    assert f"usage: reachy-agent {' '.join(OLD_NAMES[old])} " in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--help"], [], ["completion", "bash"]])
def test_old_names_are_not_listed(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.suppress(SystemExit):
        cli.main(words)
    printed = capsys.readouterr().out
    assert "topics" in printed
    for name in ("policies", "roll-back", "report_options"):
        assert not re.search(rf"^  {name} |[ (\"']{name}[ )\"',]", printed.replace("learned policies", "")), name


def test_name_of_another_command_is_unchanged() -> None:
    assert with_current_names(["tools", "rollback", "wave"]) == ["tools", "rollback", "wave"]
    assert with_current_names([]) == []


def test_former_name_is_replaced_and_its_arguments_are_kept() -> None:
    assert with_current_names(["policies", "roll-back", "nod", "2"]) == ["skills", "rollback", "nod", "2"]
    assert with_current_names(["policies", "--json"]) == ["skills", "--json"]
