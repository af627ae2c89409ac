import json
import re
from functools import partial
from typing import Any

import pytest

from reachy_agent_ros.cli.commands import grants
from reachy_agent_ros.core.errors import AgentError
from support.command_line import run_command

run = partial(run_command, grants)


@pytest.fixture(autouse=True)
def user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ada")


@pytest.mark.usefixtures("agent")
def test_adds_lists_and_revokes_grant(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("add", "take_*", "dance", "--session", "kitchen", "--for", "1h", "--uses", "3") == 0
    assert capfd.readouterr().out.startswith("Granted take_*, dance. To revoke: reachy-agent grants revoke ")
    assert run("list", "--json") == 0
    shown: Any = json.loads(capfd.readouterr().out)
    given = {key: shown[key] for key in ("tools", "session_id", "rule", "uses", "given_by")}
    expected = {"session_id": "kitchen", "rule": None, "uses": 3, "given_by": "service: command line, user ada"}
    assert given == {"tools": ["take_*", "dance"], **expected}
    assert run() == 0
    told = capfd.readouterr().out
    header, line = (re.split("  +", line) for line in told.splitlines())
    assert header[2:5] == ["UNTIL", "CALLS LEFT", "CONVERSATION"]
    assert (line[1], line[3:]) == ("take_*, dance", ["3", "kitchen", "service: command line, user ada"])
    assert run("revoke", shown["grant_id"][:8]) == 0
    assert capfd.readouterr().out == "Revoked the grant for take_*, dance.\n"
    assert run() == 0
    assert "There are no grants.\n" in capfd.readouterr().err
    with pytest.raises(AgentError, match="no grant that begins with"):
        run("revoke", shown["grant_id"])


@pytest.mark.usefixtures("agent")
def test_grant_without_limits_lasts_until_agent_ends(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("add", "dance", "--json") == 0
    grant_id = json.loads(capfd.readouterr().out)["grant_id"]
    assert run() == 0
    assert re.search(r"dance +the agent ends +any +any +service: command line, user ada", capfd.readouterr().out)
    assert run("revoke", grant_id) == 0


@pytest.mark.parametrize("limit", [("--for", "soon"), ("--uses", "0"), ("--uses", "-1")])
def test_rejects_grant_with_invalid_limit(limit: tuple[str, str]) -> None:
    with pytest.raises(SystemExit):
        run("add", "dance", *limit)


@pytest.mark.usefixtures("agent")
def test_grants_without_graph_prints_how_to_start_one() -> None:
    with pytest.raises(AgentError, match="Start one: reachy-agent up"):
        run("list", "--namespace", "/nobody")
