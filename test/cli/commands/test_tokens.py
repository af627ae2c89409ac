import json
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.cli.commands import tokens
from support.command_line import run_command

run = partial(run_command, tokens)


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))


def test_tokens_command_creates_lists_and_revokes_token(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("make", "phone", "--role", "observer", "--json") == 0
    secret = json.loads(capsys.readouterr().out)["token"]
    assert run("list") == 0
    table = capsys.readouterr().out
    assert [line.split()[:2] for line in table.splitlines()] == [["NAME", "ROLE"], ["phone", "observer"]]
    assert secret not in table
    assert run("revoke", "phone") == 0
    assert capsys.readouterr().out == "Revoked phone.\n"
    assert run("list") == 0
    assert capsys.readouterr().err == "There are no tokens.\n"


def test_tokens_command_prints_one_json_object_per_token(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("phone", "desk"):
        run("make", name)
    capsys.readouterr()
    assert run("--json") == 0
    assert [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()] == ["phone", "desk"]


def test_scope_of_token_must_be_allowed_explicitly(capsys: pytest.CaptureFixture[str]) -> None:
    run("make", "phone")
    run("make", "pad", "--allow", "approve-own", "--json")
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["scopes"] == ["approve-own"]
    assert run("allow", "phone", "approve-as-mcp-client") == 0
    assert capsys.readouterr().out == "approve-as-mcp-client is allowed for phone.\n"
    assert run("list", "--json") == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["scopes"] for one in listed] == [["approve-as-mcp-client"], ["approve-own"]]
    assert [one["mcp_client"] for one in listed] == [False, False]
    assert run("disallow", "phone", "approve-as-mcp-client") == 0
    capsys.readouterr()
    assert run("list") == 0
    header, phone, pad = capsys.readouterr().out.splitlines()
    assert "ALLOWED" in header
    assert "approve" not in phone
    assert "approve-own" in pad


def test_rejects_unknown_scope() -> None:
    run("make", "phone")
    with pytest.raises(SystemExit):
        run("allow", "phone", "everything")
