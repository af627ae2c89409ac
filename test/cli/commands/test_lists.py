import json
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.agent.lists.list_store import FILE_NAME, ListStore
from reachy_agent_ros.cli.commands import lists
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.command_line import run_command

run = partial(run_command, lists)


@pytest.fixture(autouse=True)
def _lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    store = ListStore(tmp_path / FILE_NAME)
    store.add("shopping", ["milk", "eggs"])
    store.add("main", ["call Ada"])
    store.close()


def test_lists_are_printed_as_text_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "--json") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found == [{"list": "main", "items": 1}, {"list": "shopping", "items": 2}]
    assert run("show", "Shopping") == 0
    assert capsys.readouterr().out.split() == ["ITEM", "milk", "eggs"]


def test_exports_one_list_or_all_lists(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run("export", "shopping", "--out", str(tmp_path / "out.txt")) == 0
    assert (tmp_path / "out.txt").read_text() == "milk\neggs\n"
    assert run("export") == 0
    assert capsys.readouterr().out == "main\n- call Ada\n\nshopping\n- milk\n- eggs\n"


def test_rejects_unknown_list_and_names_available_ones() -> None:
    with pytest.raises(AgentError) as refusal:
        run("show", "camping")
    assert refusal.value.code is ErrorCode.NOT_FOUND
    assert "main, shopping" in refusal.value.message


def test_export_reports_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="Cannot write") as refusal:
        run("export", "--out", str(tmp_path / "missing" / "out.txt"))
    assert refusal.value.code is ErrorCode.STORAGE_FAILED
