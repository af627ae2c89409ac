import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.cli.commands import demonstrations as command
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.index import Demonstrations, demonstrations_directory
from support.command_line import run_command
from support.learning.shown import nod, recorded


@pytest.fixture(autouse=True)
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Demonstrations:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path / "state"))
    return Demonstrations(demonstrations_directory())


run = partial(run_command, command)


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Any:
    def read(*words: str) -> list[dict[str, Any]]:
        capsys.readouterr()
        assert run(*words, "--json") == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return read


def test_lists_shows_trims_and_deletes_demonstrations(lines: Any, stored: Demonstrations) -> None:
    whole = recorded(stored)
    (listed,) = lines("list")
    assert (listed["identifier"], listed["person"]) == (whole.identifier, "Ada")
    (shown,) = lines("show", whole.identifier[:8])
    assert (shown["said"], shown["refusal"]) == ([], "")
    (part,) = lines("trim", whole.identifier, "--from", "0.5", "--to", "1.5")
    assert part["duration"] == pytest.approx(1.0, abs=0.021)
    assert lines("delete", whole.identifier) == [{"deleted": whole.identifier}]
    assert [one["identifier"] for one in lines("list", "--skill", "nod")] == [part["identifier"]]


def test_show_reports_whether_demonstration_can_be_replayed(
    capsys: pytest.CaptureFixture[str], stored: Demonstrations
) -> None:
    deep = recorded(stored, nod(degrees=50.0))
    run("show", deep.identifier)
    assert "Cannot be replayed as recorded: At 1.00 s head.pitch is 50.0 deg" in capsys.readouterr().out


def test_export_of_demonstrations_reports_content(lines: Any, stored: Demonstrations, tmp_path: Path) -> None:
    recorded(stored)
    (result,) = lines("export", "minari", str(tmp_path / "set"), "--rate", "10")
    assert (result["episodes"], result["steps"]) == (1, 20)


def test_imports_exported_bag_as_demonstration(lines: Any, stored: Demonstrations) -> None:
    bag = next(stored.path(recorded(stored)).glob("*.mcap"))
    (taken,) = lines("import", str(bag), "--skill", "nod", "--prompt", "again")
    assert (taken["prompt"], taken["origin"]) == ("again", bag.name)


def test_rejects_replay_outside_envelope_without_graph(stored: Demonstrations) -> None:
    deep = recorded(stored, nod(degrees=50.0))
    with pytest.raises(AgentError) as error:
        run("replay", deep.identifier)
    assert error.value.code is ErrorCode.OUT_OF_ENVELOPE


def test_unknown_demonstration_is_reported_as_not_found() -> None:
    with pytest.raises(AgentError) as error:
        run("show", "0123")
    assert error.value.code is ErrorCode.NOT_FOUND
